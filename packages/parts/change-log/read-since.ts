import { type Sql, sql, wasWrittenHere } from '@kontor/database';

/** What had been committed at a moment. */
export interface Position {
  /** As PostgreSQL writes it: `xmin:xmax:running,…`. */
  readonly snapshot: string;
  /** The highest id that was visible. */
  readonly last: number;
}

/** The start, where everything is new. */
export const beginning: Position = { snapshot: '3:3:', last: 0 };

/**
 * A position in a table whose rows have an `id` and store their transaction in `xact`. A read goes from one position to
 * another by id, in as many pages as needed.
 */
export interface Place {
  readonly since: Position | OldPosition;
  /** Where the read ends; null before it starts: what is committed now. */
  readonly until: Position | null;
  /** The last delivered id of the read. */
  readonly after: number;
}

/** The old cursor format: all transactions below `xact`, and that one up to `id`. */
export interface OldPosition {
  readonly xact: string;
  readonly id: number;
}

/** The position of the surrounding statement, as columns `snapshot` and `last`. */
export function reached(table: Sql): Sql {
  return sql`pg_current_snapshot()::text as snapshot, coalesce((select max(id) from ${table}), 0) as last`;
}

/** Where a read continues: after a full page, or at the end of the read. */
export function nextPlace(
  place: Place,
  until: Position,
  found: { readonly count: number; readonly last: number },
  limit: number,
): Place {
  if (found.count < limit) return { since: until, until: null, after: 0 };
  return { since: place.since, until, after: found.last };
}

/**
 * The rows that were committed since a position, in the order of their ids: a query of the given columns, which include `id`. A row
 * is new if it is visible now and was not visible then, so nothing is missed or repeated, whatever the order in which transactions
 * end, and nobody waits for a long one. When two transactions change one record, the second waits for the first: it gets the higher
 * id and becomes visible later, so the order per record holds within a read and across reads.
 *
 * A row above the highest id that was visible is new. One below it was not visible only where its transaction had not ended, so those
 * are found by transaction. After a crash, numbers of transactions that left no trace are given again, but ids are not.
 */
export function rowsSince(table: Sql, columns: Sql, { since, until, after }: Place, limit: number): Sql {
  const end = until === null ? sql`pg_current_snapshot()` : sql`${until.snapshot}::pg_snapshot`;
  const isThere = sql`${wasWrittenHere} and pg_visible_in_snapshot(xact::text::xid8, ${end})`;
  const those = (condition: Sql) => sql`select ${columns} from ${table} where ${condition} and ${isThere}`;
  const page = (rows: Sql) => sql`
    with fresh as materialized (${rows}) select * from fresh order by id limit ${limit}::int4`;
  if ('xact' in since) {
    return page(those(sql`(xact, id) > (${since.xact}::numeric, ${since.id}::int4) and id + 0 > ${after}::int4`));
  }
  const ahead = those(sql`id > ${Math.max(after, since.last)}::int4`);
  const next = sql`${ahead} order by id limit ${limit}::int4`;
  if (after >= since.last) return next;
  const [, xmax = '', running = ''] = since.snapshot.split(':');
  const behind = sql`id + 0 <= ${since.last}::int4 and id > ${after}::int4`;
  return page(sql`
    (${next}) union all (${those(sql`xact >= ${xmax}::numeric and ${behind}`)})
    union all (${those(sql`xact = any(${running === '' ? [] : running.split(',')}::numeric[]) and ${behind}`)})`);
}
