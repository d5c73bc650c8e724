import { type Queryable, type Sql, sql } from '@kontor/database';

/** Something that happened, for those who may know. Ids and names, never the values of a record. */
export interface OutboxEvent {
  readonly channel: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Only people who may read this model are told. */
  readonly model?: string;
  readonly companyId?: number | null;
  /** Only this person is told. */
  readonly userId?: number;
}

/** In the transaction of what happened; it is sent after the commit. */
export async function publishEvents(db: Queryable, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  await db.execute(sql`
    insert into sys_outbox (channel, payload, model, company_id, user_id, xact, create_date, write_date)
    select e.channel, e.payload::jsonb, e.model, e.company_id, e.user_id, pg_current_xact_id()::text::numeric, now(), now()
    from ${eventRows(events)}`);
}

/** The events as rows of a table `e`. */
export function eventRows(events: readonly OutboxEvent[]): Sql {
  return sql`unnest(${events.map((event) => event.channel)}::text[],
    ${events.map((event) => JSON.stringify(event.payload))}::text[],
    ${events.map((event) => event.model ?? null)}::text[],
    ${events.map((event) => event.companyId ?? null)}::int4[],
    ${events.map((event) => event.userId ?? null)}::int4[]) as e(channel, payload, model, company_id, user_id)`;
}
