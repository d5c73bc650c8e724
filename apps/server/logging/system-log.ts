import { hostname } from 'node:os';
import { type Database, type Queryable, sql } from '@kontor/database';
import type { DestinationStream } from 'pino';
import { type LogEntry, toLogEntry } from './log-entry.ts';

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
      await insertEntries(db, batch);
      sincePrune += batch.length;
      if (sincePrune < pruneEvery) return;
      await prune(db, cap);
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

async function insertEntries(db: Queryable, entries: readonly LogEntry[]): Promise<void> {
  await db.execute(sql`
    insert into sys_log (at, level, source, message, request_id, user_id, process, create_date, write_date)
    select e.at::timestamptz, e.level, e.source, e.message, e.request_id, e.user_id, ${thisProcess}, now(), now()
    from unnest(${entries.map(({ at }) => at)}::text[], ${entries.map(({ level }) => level)}::text[],
      ${entries.map(({ source }) => source)}::text[], ${entries.map(({ message }) => message)}::text[],
      ${entries.map(({ requestId }) => requestId)}::text[], ${entries.map(({ userId }) => userId)}::int4[])
      as e(at, level, source, message, request_id, user_id)`);
}

async function prune(db: Queryable, cap: number): Promise<void> {
  await db.execute(sql`
    delete from sys_log where id <= (select id from sys_log order by id desc offset ${cap}::int4 limit 1)`);
}
