import { databaseHistory, type Sql, sql, wasWrittenHere } from '@kontor/database';

/** An event as it was written, with those it is for. */
export interface PublishedEvent {
  readonly channel: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly model: string | null;
  readonly companyId: number | null;
  readonly userId: number | null;
}

/** How far the outbox was read. */
export interface Position {
  /** What had been committed when it was taken, as PostgreSQL writes it: `xmin:xmax:running,…`. */
  readonly snapshot: string;
  /** The highest id that was visible. */
  readonly last_id: number;
  /** Names the database and its history: another after a failover, and where a backup was restored. */
  readonly history: string;
}

/** Runs a statement on the connection on which the outbox is followed. */
export type Ask = <Row extends object>(statement: Sql) => Promise<Row[]>;

const pageSize = 2_000;

const reached = sql`pg_current_snapshot()::text as snapshot, coalesce((select max(id) from sys_outbox), 0) as last_id`;

export async function currentPosition(ask: Ask): Promise<Position> {
  const [row] = await ask<Position>(sql`select ${reached}, ${databaseHistory} as history`);
  return row as Position;
}

export type Hand = (events: readonly PublishedEvent[]) => void;

/**
 * Hands over every event that was committed after `since`, in the order of writing, and returns where to go on. An event is
 * new when its transaction is visible now and was not then, so nothing is skipped or read twice, whatever the order in which
 * transactions end, and a long one does not delay others.
 */
export function readOutbox(ask: Ask, since: Position, hand: Hand): Promise<Position> {
  return readPages(ask, since, isAfter(since), hand);
}

/**
 * The same over the loss of a connection, which may have been a crash: numbers of transactions that had left no trace are then
 * given again, so that whatever has a new id counts as new too. Nothing is handed over when the history is another one: numbers
 * of transactions and ids say nothing of it.
 */
export async function readOverGap(ask: Ask, since: Position, hand: Hand): Promise<Position> {
  const now = await currentPosition(ask);
  if (now.history !== since.history) return now;
  return readPages(ask, since, sql`(id > ${since.last_id}::int4 or (${isAfter(since)}))`, hand);
}

function isAfter({ snapshot }: Position): Sql {
  const oldest = snapshot.split(':', 1)[0] as string;
  return sql`xact >= ${oldest}::numeric and not pg_visible_in_snapshot(xact::text::xid8, ${snapshot}::pg_snapshot)`;
}

async function readPages(ask: Ask, { history }: Position, isNew: Sql, hand: Hand): Promise<Position> {
  let until: Position | null = null;
  for (let afterId = 0; ; ) {
    const rows: readonly Row[] = await ask<Row>(page(isNew, until, afterId));
    const { snapshot, last_id } = rows[0] as Row;
    until ??= { snapshot, last_id, history };
    const found = rows.filter((row) => row.id !== null);
    if (found.length > 0) hand(found.flatMap(toEvents));
    if (found.length < pageSize) return until;
    afterId = found.at(-1)?.id as number;
  }
}

interface Row extends Omit<Position, 'history'> {
  readonly id: number | null;
  readonly channel: string;
  readonly payload: string;
  readonly model: string | null;
  readonly company_id: number | null;
  readonly user_id: number | null;
}

function page(isNew: Sql, until: Position | null, afterId: number): Sql {
  const snapshot = until?.snapshot ?? null;
  // Materialised, and ids compared as a sum: the newest transactions by their own index, never a walk along the ids of all.
  return sql`
    with fresh as materialized (
      select id, channel, payload, model, company_id, user_id from sys_outbox
      where ${isNew} and id + 0 > ${afterId}::int4 and ${wasWrittenHere}
        and (${snapshot}::text is null or pg_visible_in_snapshot(xact::text::xid8, ${snapshot}::pg_snapshot))
    )
    select ${reached}, o.*
    from (select) as always left join (select * from fresh order by id limit ${pageSize}::int4) o on true
    order by o.id`;
}

/** A row that stands for many records is an event for each. */
function toEvents(row: Row): readonly PublishedEvent[] {
  const { channel, model, company_id: companyId, user_id: userId } = row;
  const { ids, ...payload } = JSON.parse(row.payload) as Record<string, unknown>;
  const about = { channel, model, companyId, userId };
  const isOfMany = model !== null && channel.startsWith('record.') && Array.isArray(ids);
  if (!isOfMany) return [{ ...about, payload: ids === undefined ? payload : { ...payload, ids } }];
  return ids.map((id: unknown) => ({ ...about, payload: { ...payload, id } }));
}
