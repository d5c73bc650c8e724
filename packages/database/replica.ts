import { serverError } from './errors/sql-state.ts';
import { isConnectionFailure } from './errors/unavailable.ts';
import type { Database, Queryable } from './queryable.ts';
import { sql } from './sql/sql.ts';

export interface ReplicaRouter {
  /** The replica if it has replayed the caller's last write (null: none), otherwise the primary. */
  forRead(lastWriteLsn: string | null): Promise<Database>;
  /** How many seconds it is behind; null while it is down. */
  lagSeconds(): Promise<number | null>;
  /** Whether reads go to the replica at all right now. */
  readonly isReplicaUp: boolean;
  /** Stops monitoring the replica; both databases stay open. */
  close(): void;
}

export interface ReplicaRouterOptions {
  readonly primary: Database;
  readonly replica: Database;
  readonly onWarning?: (message: string, error: unknown) => void;
  /** Minimum time between two reads of the replay position while it is too old. */
  readonly positionMs?: number;
  /** The interval at which the replica is checked, up or down. */
  readonly probeMs?: number;
  /** A replica that does not report its position within this time counts as down. */
  readonly answerMs?: number;
}

/** Routes reads; a replica that is down or behind only adds load to the primary. */
// Over 60 lines: the functions share whether the replica is up and how far it is.
export function createReplicaRouter(options: ReplicaRouterOptions): ReplicaRouter {
  const { primary, replica, onWarning = () => {}, positionMs = 100, probeMs = 2_000, answerMs = 1_000 } = options;
  const guarded = withFallback({ primary, replica, onFailure: (error) => goDown('It does not answer', error) });
  let isUp = false;
  let isKnownDown = false;
  let replayed = -1n;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  const timer = setInterval(() => void look(), probeMs).unref();

  function goDown(reason: string, error: unknown): void {
    isUp = false;
    replayed = -1n;
    if (!isKnownDown) onWarning(`The read replica is not used: ${reason}. Reads go to the primary.`, error);
    isKnownDown = true;
  }

  function note(state: ReplayState): void {
    if (!state.isStandby) {
      goDown('It is not a standby of the primary', null);
      return;
    }
    if (isKnownDown) onWarning('The read replica is used again.', null);
    isUp = true;
    isKnownDown = false;
    replayed = state.replayed ?? -1n;
  }

  function look(): Promise<void> {
    asking ??= within(answerMs, replayState(replica))
      .then(note, (error) => goDown('It does not answer', error))
      .finally(() => {
        asking = null;
        askedAt = performance.now();
      });
    return asking;
  }

  void look();

  return {
    async forRead(lastWriteLsn) {
      if (!isUp) return primary;
      if (lastWriteLsn === null) return guarded;
      const needed = parseLsn(lastWriteLsn);
      if (needed === null) return primary;
      // Replay only advances, so a position that once sufficed still does; one that did not is requested again later.
      if (replayed < needed && performance.now() - askedAt >= positionMs) await look();
      return isUp && replayed >= needed ? guarded : primary;
    },
    async lagSeconds() {
      if (!isUp) return null;
      const ask = async () => replica.query<{ seconds: number }>(replicaLag(await currentLsn(primary)));
      const rows = await within(answerMs, ask()).catch(() => []);
      return rows[0]?.seconds ?? null;
    },
    get isReplicaUp() {
      return isUp;
    },
    close: () => clearInterval(timer),
  };
}

/**
 * A replica that has replayed what the primary wrote is not behind, however long ago that was. What it received does not matter: it may
 * be cut off.
 */
const replicaLag = (primaryLsn: string) => sql`
  select case when pg_last_wal_replay_lsn() >= ${primaryLsn}::pg_lsn then 0
    else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0) end::float8 as seconds`;

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}

interface FallbackOptions {
  readonly primary: Database;
  readonly replica: Database;
  readonly onFailure: (error: unknown) => void;
}

/**
 * The replica, with the primary as fallback: what a failing replica, or one busy replaying, cannot answer is sent
 * there.
 */
function withFallback({ primary, replica, onFailure }: FallbackOptions): Database {
  async function attempt<T>(work: (database: Database) => Promise<T>): Promise<T> {
    try {
      return await work(replica);
    } catch (error) {
      const isDown = isConnectionFailure(error);
      if (isDown) onFailure(error);
      // A standby cancels reads that conflict with replay, with 40001 or 40P01.
      else if (!['40001', '40P01'].includes(serverError(error)?.code ?? '')) throw error;
    }
    return work(primary);
  }

  return {
    query: <Row extends object>(statement: Parameters<Queryable['query']>[0]) =>
      attempt((database) => database.query<Row>(statement)),
    arrays: (statement) => attempt((database) => database.arrays(statement)),
    json: (statement, shape) => attempt((database) => database.json(statement, shape)),
    csv: (statement, shape) => attempt((database) => database.csv(statement, shape)),
    execute: (statement) => attempt((database) => database.execute(statement)),
    transaction: (work, options) => attempt((database) => database.transaction(work, options)),
    get statements() {
      return replica.statements + primary.statements;
    },
    close: () => replica.close(),
  };
}

/** A position in the write-ahead log, as PostgreSQL writes it: `16/B374D848`. Null if the text is invalid. */
export function parseLsn(text: string): bigint | null {
  const found = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text);
  return found ? (BigInt(`0x${found[1]}`) << 32n) | BigInt(`0x${found[2]}`) : null;
}

/**
 * The position that a replica must have replayed to show everything committed before this call. Read from the primary
 * after the commit, because the commit record is written last.
 */
export async function currentLsn(primary: Queryable): Promise<string> {
  const [row] = await primary.arrays(sql`select case when current_setting('synchronous_commit') = 'off'
    then pg_current_wal_insert_lsn() else pg_current_wal_lsn() end::text`);
  return row?.[0] as string;
}

interface ReplayState {
  /** False: no longer a standby, so its rows may have diverged from the primary's. */
  readonly isStandby: boolean;
  readonly replayed: bigint | null;
}

async function replayState(replica: Queryable): Promise<ReplayState> {
  const [row] = await replica.arrays(sql`select pg_is_in_recovery(), pg_last_wal_replay_lsn()::text`);
  const [isStandby, replayed] = row as [boolean, string | null];
  return { isStandby, replayed: replayed === null ? null : parseLsn(replayed) };
}
