import type { Queryable } from './queryable.ts';
import { sql } from './sql/sql.ts';

/** A place in the write-ahead log, as PostgreSQL writes it: `16/B374D848`. Null when the text is none. */
export function parseLsn(text: string): bigint | null {
  const found = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text);
  return found ? (BigInt(`0x${found[1]}`) << 32n) | BigInt(`0x${found[2]}`) : null;
}

/**
 * The place that a replica must have replayed to show what was committed before this call. Asked of the primary after
 * the commit: the commit's own record is written at its end.
 */
export async function currentLsn(primary: Queryable): Promise<string> {
  const [row] = await primary.arrays(sql`select case when current_setting('synchronous_commit') = 'off'
    then pg_current_wal_insert_lsn() else pg_current_wal_lsn() end::text`);
  return row?.[0] as string;
}

export interface ReplayState {
  /** False: no standby (any more), its rows may have parted from the primary's. */
  readonly isStandby: boolean;
  readonly replayed: bigint | null;
}

export async function replayState(replica: Queryable): Promise<ReplayState> {
  const [row] = await replica.arrays(sql`select pg_is_in_recovery(), pg_last_wal_replay_lsn()::text`);
  const [isStandby, replayed] = row as [boolean, string | null];
  return { isStandby, replayed: replayed === null ? null : parseLsn(replayed) };
}
