import { type Queryable, type Sql, sql } from '@kontor/database';

/** An event as it was written, with those it is for. */
export interface PublishedEvent {
  readonly channel: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly model: string | null;
  readonly companyId: number | null;
  readonly userId: number | null;
}

/** What had been committed when it was taken, as PostgreSQL writes it: `xmin:xmax:running,…`. */
export type Snapshot = string;

const pageSize = 2_000;

export async function currentSnapshot(db: Queryable): Promise<Snapshot> {
  const [row] = await db.query<{ snapshot: Snapshot }>(sql`select pg_current_snapshot()::text as snapshot`);
  return (row as { snapshot: Snapshot }).snapshot;
}

/**
 * Hands over every event that was committed after `since`, in the order of writing, and returns where to go on. An event is
 * new when its transaction is visible now and was not then, so nothing is skipped or read twice, whatever the order in which
 * transactions end, and a long one does not delay others.
 */
export async function readOutbox(
  db: Queryable,
  since: Snapshot,
  hand: (events: readonly PublishedEvent[]) => void,
): Promise<Snapshot> {
  let until: Snapshot | null = null;
  for (let afterId = 0; ; ) {
    const rows: readonly Row[] = await db.query<Row>(page(since, until, afterId));
    until ??= (rows[0] as Row).snapshot;
    const found = rows.filter((row) => row.id !== null);
    if (found.length > 0) hand(found.flatMap(toEvents));
    if (found.length < pageSize) return until;
    afterId = found.at(-1)?.id as number;
  }
}

interface Row {
  readonly snapshot: Snapshot;
  readonly id: number | null;
  readonly channel: string;
  readonly payload: string;
  readonly model: string | null;
  readonly company_id: number | null;
  readonly user_id: number | null;
}

function page(since: Snapshot, until: Snapshot | null, afterId: number): Sql {
  const oldest = since.split(':', 1)[0] as string;
  // Materialised: the newest transactions by their own index, never a walk along the ids from the beginning.
  return sql`
    with fresh as materialized (
      select id, channel, payload, model, company_id, user_id from sys_outbox
      where xact >= ${oldest}::numeric and id > ${afterId}::int4
        and not pg_visible_in_snapshot(xact::text::xid8, ${since}::pg_snapshot)
        and (${until}::text is null or pg_visible_in_snapshot(xact::text::xid8, ${until}::pg_snapshot))
    )
    select pg_current_snapshot()::text as snapshot, o.*
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
