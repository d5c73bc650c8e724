import { isCanceled, isStalePlan } from '../errors/sql-state.ts';
import { isConnectionFailure, unavailable } from '../errors/unavailable.ts';
import type { Database } from '../queryable.ts';
import type { Sql } from '../sql/sql.ts';
import { runChange } from '../transaction/run-change.ts';
import { runTransaction } from '../transaction/run-transaction.ts';
import type { CsvPart } from '../wire/csv-rows.ts';
import type { AnswerBounds } from '../wire/fetch-rows.ts';
import type { Purpose } from './connection-queue.ts';
import { type Leases, openPool, type PoolCounts } from './open-pool.ts';
import { type ConnectionConfig, parseDsn } from './parse-dsn.ts';
import { createPulse, isSilence, type Pulse } from './pulse.ts';
import { type Answer, type Outgoing, type RowForm, send, toOutgoing } from './send.ts';
import type { Cell } from './type-parsers.ts';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, or `?host=/path` for a socket directory. */
  readonly dsn?: string;
  /** Instead of `dsn`, as returned by the embedded server. */
  readonly connection?: ConnectionConfig;
  readonly maxConnections?: number;
  readonly applicationName?: string;
  /** 0 switches a timeout off. */
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly idleInTransactionTimeoutMs?: number;
  /** How long a caller waits for a connection before UNAVAILABLE. */
  readonly connectTimeoutMs?: number;
  /** How long the database may take for a `ping`. */
  readonly answerMs?: number;
  /**
   * Checks the database this often (0: never): a silent database fails all callers at once instead of each one separately, and
   * while changes wait for a connection, those that wait for a row lock are cancelled.
   */
  readonly watchMs?: number;
  /** Named statements cached per connection; 0 behind a pooler that gives each transaction another connection. */
  readonly maxStatements?: number;
  readonly onWarning?: (message: string, error: unknown) => void;
}

export interface PooledDatabase extends Database {
  /**
   * Rows of one statement that changes something, in a transaction of its own and one round trip. Unlike a transaction it is not
   * repeated after a deadlock, and a connection that is lost leaves open whether it was committed.
   */
  change(statement: Sql): Promise<Cell[][]>;
  /** For metrics. */
  counts(): PoolCounts;
  /** Settles when the database answers on a separate connection; UNAVAILABLE if it does not within seconds. */
  ping(): Promise<void>;
  /** The same database through connections that are reserved for authentication, which must not wait for others. */
  readonly urgent: Database;
}

/** Connects on first use, and reconnects whenever the database is back. */
export function createDatabase(options: DatabaseOptions): PooledDatabase {
  const onWarning = options.onWarning ?? ((message, error) => process.emitWarning(`${message} ${String(error)}`));
  const connection = connectionOf(options);
  const leases = openPool({
    connection,
    maxConnections: options.maxConnections ?? 10,
    maxStatements: options.maxStatements ?? 250,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    session: {
      applicationName: options.applicationName ?? 'kontor',
      statementTimeoutMs: options.statementTimeoutMs ?? 30_000,
      lockTimeoutMs: options.lockTimeoutMs ?? 10_000,
      idleInTransactionTimeoutMs: options.idleInTransactionTimeoutMs ?? 60_000,
    },
    onWarning,
  });
  const pulse = createPulse(connection, options.answerMs ?? 5_000);
  // A pooler invents process ids, which could be those of others.
  const knowsProcesses = options.maxStatements !== 0;
  const stopWatching = watch(leases, pulse, { everyMs: options.watchMs ?? 0, knowsProcesses });
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    stopWatching();
    pulse.close();
    closing ??= leases.close();
    return closing;
  };
  const counter = { statements: 0 };
  const usual = databaseOn({ leases, onWarning, counter, purpose: 'usual', close });
  const urgent = databaseOn({ leases, onWarning, counter, purpose: 'urgent', close });
  return Object.assign(usual, {
    async change(statement: Sql) {
      counter.statements++;
      return (await runChange(leases, 'change', toOutgoing(statement, 'arrays'))).rows as Cell[][];
    },
    ...{ counts: leases.counts, ping: pulse.ask, urgent },
  });
}

interface HandleOptions {
  readonly leases: Leases;
  readonly onWarning: (message: string, error: unknown) => void;
  readonly counter: { statements: number };
  readonly purpose: 'usual' | 'urgent';
  readonly close: () => Promise<void>;
}

function databaseOn({ leases, onWarning, counter, purpose, close }: HandleOptions): Database {
  async function run(statement: Sql, form: RowForm, bounds?: AnswerBounds): Promise<Answer> {
    const outgoing = toOutgoing(statement, form, bounds);
    counter.statements++;
    return runAlone(leases, purpose === 'urgent' ? purpose : 'read', outgoing);
  }

  return {
    query: async <Row extends object>(statement: Sql) => (await run(statement, 'objects')).rows as Row[],
    arrays: async (statement, bounds) => (await run(statement, 'arrays', bounds)).rows as Cell[][],
    json: async (statement, shape, bounds) => (await run(statement, shape, bounds)).rows as string,
    csv: async (statement, shape) => (await run(statement, shape)).rows as CsvPart,
    execute: async (statement) => (await run(statement, 'arrays')).rowCount,
    get statements() {
      return counter.statements;
    },
    transaction: (work, transactionOptions = {}) =>
      runTransaction({ leases, purpose, onWarning, onStatement: () => counter.statements++ }, work, transactionOptions),
    close,
  };
}

/** How long changes wait for a connection, and others for a row lock, before the latter are cancelled. */
const reliefMs = 1_000;

interface WatchOptions {
  readonly everyMs: number;
  readonly knowsProcesses: boolean;
}

function watch(leases: Leases, pulse: Pulse, { everyMs, knowsProcesses }: WatchOptions): () => void {
  if (everyMs === 0) return () => {};
  let isLooking = false;

  async function look(): Promise<void> {
    leases.hangUpOverdue();
    try {
      await pulse.ask();
      leases.suspend(null);
      if (knowsProcesses && leases.changeWaitMs() > reliefMs)
        await pulse.cancelLockWaits(leases.changeProcesses(), reliefMs);
    } catch (error) {
      // A database that is down reports an error to every caller.
      leases.suspend(isSilence(error) ? error : null);
    }
  }

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, everyMs).unref();
  return () => clearInterval(timer);
}

function connectionOf({ dsn, connection }: DatabaseOptions): ConnectionConfig {
  if (connection) return connection;
  if (dsn) return parseDsn(dsn);
  throw new Error('createDatabase needs a dsn or a connection.');
}

/** A failure often breaks several connections; a read may hit each of them once. */
const maxTries = 4;

/** A statement outside any transaction. It is sent again if it certainly had no effect, or only read. */
async function runAlone(leases: Leases, purpose: Purpose, outgoing: Outgoing, tries = 1): Promise<Answer> {
  const { shared } = leases;
  const taken = purpose === 'read' && shared ? shared.take(outgoing.text, 'read') : null;
  const lease = (taken instanceof Promise ? await taken : taken) ?? (await leases.take(purpose));
  let isBroken = false;
  try {
    const answer = await send(lease, outgoing);
    if (answer.tookMs !== undefined) shared?.note(outgoing.text, answer.tookMs, 'read');
    return answer;
  } catch (error) {
    isBroken = isConnectionFailure(error);
    const isStale = isStalePlan(error);
    if (isStale) leases.dropPlans();
    const isNotShort = lease.sharedFor !== null && isCanceled(error);
    if (isNotShort) shared?.refuse(outgoing.text);
    const mayRepeat = isNotShort || isStale || (isBroken && /^\s*select\b/i.test(outgoing.text));
    if (!mayRepeat || (tries >= maxTries && !isNotShort)) throw unavailable(error) ?? error;
  } finally {
    lease.release(isBroken);
  }
  return runAlone(leases, purpose, outgoing, tries + 1);
}
