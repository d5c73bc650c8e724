import { type ConnectionConfig, createBell, databaseHistory, type PooledDatabase, sql } from '@kontor/database';
import type { KernelLog } from './runtime.ts';
import { bellChannel, modulesSignal, readSignals } from './work/signals.ts';
import { createThrottle } from './work/throttle.ts';

const askAgainMs = 1_000;

export interface FollowOptions {
  readonly database: PooledDatabase;
  readonly connection: ConnectionConfig;
  readonly log: KernelLog;
  /** What is outdated now. */
  readonly onSignals: (names: readonly string[]) => void;
  readonly onModules: () => Promise<void>;
  /** Another process may have changed something. */
  readonly onBell: () => void;
  /** There may be events: as soon as something is done here, or another process rings. */
  readonly onNews: () => void;
}

/** Follows the signals of the other processes, and notifies them of new ones. */
export interface SignalFollower {
  ring(): void;
  /** Reads the signals now. */
  look(): void;
  close(): Promise<void>;
}

export async function followSignals(options: FollowOptions): Promise<SignalFollower> {
  const { database, log } = options;
  let seen = await readSignals(database);
  let history = await readHistory(database);
  let isBehind = false;
  let isNewConnection = false;

  async function look(): Promise<void> {
    const mustCompare = isNewConnection;
    isNewConnection = false;
    const found = mustCompare ? await readHistory(database) : history;
    const now = await readSignals(database);
    const raised = [...now.keys()].filter((name) => now.get(name) !== seen.get(name));
    options.onSignals(raised);
    // In another history the same numbers may mean something else: everything is read again.
    if (raised.includes(modulesSignal) || found !== history) await options.onModules();
    // Only now, so that a failed load is repeated.
    seen = now;
    history = found;
    isBehind = false;
  }

  const looking = createThrottle(look, {
    spacingMs: 20,
    onError: (error) => {
      isBehind = true;
      isNewConnection = true;
      log.warn({ err: error }, 'could not look for changes');
    },
  });
  const hear = (isNew: boolean, isOwn: boolean): void => {
    // Whoever changes something here has been told already, and signals ring with their own transaction.
    if (isOwn && !isNew) return;
    isNewConnection ||= isNew;
    looking.ask();
    options.onBell();
    options.onNews();
  };
  const warn = (message: string): void => log.warn({}, message);
  const bell = createBell(options.connection, bellChannel, hear, { warn }, options.onNews);
  // Polls from time to time without a notification, because one may have been lost.
  const asking = setInterval(() => (isBehind || !bell.isListening) && looking.ask(), askAgainMs).unref();
  return {
    ring: bell.ring,
    look: looking.ask,
    async close() {
      clearInterval(asking);
      await looking.stop();
      await bell.close();
    },
  };
}

async function readHistory(database: PooledDatabase): Promise<string> {
  const [row] = await database.query<{ history: string }>(sql`select ${databaseHistory} as history`);
  return row?.history ?? '';
}
