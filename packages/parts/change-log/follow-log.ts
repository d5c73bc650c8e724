import { databaseHistory, type Queryable, type Sql, sql } from '@kontor/database';
import { changesOfSets } from './change-set.ts';
import { parseCursor, shortHistory, writeCursor } from './cursor.ts';
import { nextPlace, type Place, type Position, reached, rowsSince } from './read-since.ts';

/** Changes that were committed after a cursor, and the cursor to continue from. */
export interface LogPage {
  readonly ids: readonly number[];
  readonly cursor: string;
  /** Whether there may be more now. */
  readonly isMore: boolean;
}

interface Row extends Position {
  readonly id: number | null;
  readonly history: string;
  readonly now: string;
}

const log = sql`sys_change`;

/** The highest visible change, as a number. */
export const lastInLog = sql`coalesce((select max(id) from ${log}), 0)`;

/** Records that changed since a position, in order: a query of `id, xact, model, res_id, operation, company_id`. */
export function changedSince(place: Place, limit: number): Sql {
  return rowsSince(log, sql`id, xact, model, res_id, operation, company_id`, place, limit);
}

const here = sql`${reached(log)}, ${databaseHistory} as history, extract(epoch from now())::int8::text as now`;

/**
 * The next changes of all models after a cursor; null if the cursor is invalid, or belongs to another history of the
 * database.
 */
export async function nextInLog(db: Queryable, cursor: string | null, limit: number): Promise<LogPage | null> {
  const known = cursor === null ? null : parseCursor(cursor);
  if (!known) return null;
  const { place } = known;
  const rows = await db.query<Row>(sql`
    select ${here}, o.id from (select) as always left join (${rowsSince(log, sql`id`, place, limit)}) o on true order by o.id`);
  const first = rows[0] as Row;
  if (shortHistory(first.history) !== known.history) return null;
  const ids = idsOf(rows);
  const next = nextPlace(place, place.until ?? first, { count: ids.length, last: ids.at(-1) ?? 0 }, limit);
  return { ids, cursor: cursorAt(first, next), isMore: next.until !== null || place.until !== null };
}

/** The changes of sets that match a condition on the set `s`, and the cursor of the same moment. */
export async function beginInLog(db: Queryable, condition: Sql): Promise<LogPage> {
  const rows = await db.query<Row>(sql`
    select ${here}, o.id from (select) as always left join (${changesOfSets(condition)}) o on true order by o.id`);
  const first = rows[0] as Row;
  const cursor = cursorAt(first, { since: first, until: null, after: 0 });
  return { ids: idsOf(rows), cursor, isMore: false };
}

function idsOf(rows: readonly Row[]): readonly number[] {
  return rows.flatMap(({ id }) => id ?? []);
}

function cursorAt({ history, now }: Row, place: Place): string {
  return writeCursor({ history: shortHistory(history), time: Number(now), place });
}
