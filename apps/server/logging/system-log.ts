import { hostname } from 'node:os';
import type { Database } from '@kontor/database';
import { insertLogEntries, type LogEntry, pruneLog } from '@kontor/parts';
import type { DestinationStream } from 'pino';
import type { LoggedError } from './describe-error.ts';

interface SystemLogOptions {
  /** Rows kept in `sys.log`; the oldest are dropped first. */
  readonly cap?: number;
  readonly flushMs?: number;
  /** Entries held while the database is down; beyond that the oldest are dropped. */
  readonly maxWaiting?: number;
}

interface SystemLog {
  /** Receives the lines of the log. */
  readonly stream: DestinationStream;
  /** From now on entries are written to the database; until then they wait. */
  attach(database: Database): void;
  /** Writes pending entries, if the database is available. */
  close(): Promise<void>;
}

const thisProcess = `${hostname()}:${process.pid}`.slice(-128);
/** Counting rows at every flush would cost more than writing them. */
const pruneEvery = 200;

/**
 * Warnings and errors as rows of `sys.log`, for the viewer. It does not block: entries are collected and written together, and kept
 * for a while if the database is unavailable, which is when most of them occur.
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
      // Not reported: a log line about it would be the next entry that cannot be written.
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

const kept = ['warn', 'error', 'fatal'] as const;

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly reqId?: string;
  readonly userId?: number;
  readonly model?: string;
  readonly method?: string;
  readonly route?: string;
  readonly code?: string;
  readonly err?: LoggedError;
}

/**
 * A log line as a row; null if it is not one of ours. Lines are already clean: errors are described, secrets removed.
 */
function toLogEntry(text: string): LogEntry | null {
  let line: Line;
  try {
    line = JSON.parse(text) as Line;
  } catch {
    return null;
  }
  const level = kept.find((name) => name === line.level);
  if (level === undefined || typeof line.time !== 'string') return null;
  return {
    at: line.time,
    level,
    source: storable(sourceOf(line)).slice(0, 128),
    message: storable(messageOf(line)).slice(0, 8_000),
    requestId: line.reqId ? storable(line.reqId).slice(0, 128) : null,
    userId: Number.isInteger(line.userId) ? (line.userId as number) : null,
  };
}

function sourceOf({ model, method, route, reqId }: Line): string {
  if (model && method) return `${model} ${method}`;
  return route ?? (reqId ? 'http' : 'server');
}

function messageOf({ msg = '', code, err }: Line): string {
  return [msg + (code ? ` (${code})` : ''), ...(err ? errorLines(err) : [])].filter((part) => part !== '').join('\n');
}

function errorLines({ type, code, message, table, column, constraint, stack, cause }: LoggedError): string[] {
  const names = [code, table, column, constraint].filter((name) => name !== undefined).join(' ');
  const head = `${type}${names === '' ? '' : ` [${names}]`}${message === undefined ? '' : `: ${message}`}`;
  return [head, ...(stack ? [stack] : []), ...(cause ? ['caused by', ...errorLines(cause)] : [])];
}

function storable(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd');
}
