import { hostname } from 'node:os';
import type { Database } from '@kontor/database';
import { insertLogEntries, type LogEntry, pruneLog } from '@kontor/parts';
import type { DestinationStream } from 'pino';
import { toLogEntry } from './log-entry.ts';

export interface SystemLogOptions {
  /** Rows kept in `sys.log`; the oldest go first. */
  readonly cap?: number;
  readonly flushMs?: number;
  /** Entries held while the database is away; past it the oldest are lost. */
  readonly maxWaiting?: number;
}

export interface SystemLog {
  /** Takes the lines of the log. */
  readonly stream: DestinationStream;
  /** From here on entries go to the database; until then they wait. */
  attach(database: Database): void;
  /** Writes what waits, if the database is there. */
  close(): Promise<void>;
}

const thisProcess = `${hostname()}:${process.pid}`.slice(-128);
/** Counting rows at every flush would cost more than writing them. */
const pruneEvery = 200;

/**
 * Warnings and worse as rows of `sys.log`, for the viewer. Nobody waits for it: entries are gathered and written
 * together, and kept a while when the database is away, which is when most of them are made.
 */
export function createSystemLog(options: SystemLogOptions = {}): SystemLog {
  const { cap = 10_000, flushMs = 1_000, maxWaiting = 1_000 } = options;
  let database: Database | null = null;
  let waiting: LogEntry[] = [];
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let sincePrune = pruneEvery;

  function add(entry: LogEntry): void {
    waiting.push(entry);
    if (waiting.length > maxWaiting) waiting = waiting.slice(-maxWaiting);
    timer ??= setTimeout(flush, flushMs).unref();
  }

  function flush(): void {
    timer = undefined;
    if (!database || writing || waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    writing = write(database, batch).finally(() => {
      writing = null;
      if (waiting.length > 0) timer ??= setTimeout(flush, flushMs).unref();
    });
  }

  async function write(db: Database, batch: readonly LogEntry[]): Promise<void> {
    try {
      await insertLogEntries(db, thisProcess, batch);
      sincePrune += batch.length;
      if (sincePrune < pruneEvery) return;
      await pruneLog(db, cap);
      sincePrune = 0;
    } catch {
      // Told nowhere: a line about it would be the next entry that cannot be written.
      waiting = [...batch, ...waiting].slice(-maxWaiting);
    }
  }

  return {
    stream: {
      write(line: string) {
        const entry = toLogEntry(line);
        if (entry) add(entry);
      },
    },
    attach(given) {
      database = given;
      flush();
    },
    async close() {
      clearTimeout(timer);
      await writing;
      flush();
      await writing;
      clearTimeout(timer);
      database = null;
    },
  };
}
