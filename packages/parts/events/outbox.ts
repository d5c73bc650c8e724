import { type Queryable, type Sql, sql } from '@kontor/database';
import type { FinishedWork, KeptRows, OutboxEvent } from '@kontor/kernel';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const outboxFields = {
  channel: fields.char({ required: true, size: 128 }),
  payload: fields.json({ required: true }),
  model: fields.char({ size: 128, help: 'Only people who may read it are notified.' }),
  // No relations: an event may be about a record that is deleted in the same transaction, before the event is written.
  company_id: fields.integer(),
  user_id: fields.integer({ help: 'Only this person is notified.' }),
  xact: fields.decimal({ precision: [20, 0], required: true, index: true, help: 'The transaction that wrote it.' }),
};
export interface SysOutbox extends FieldsOf<typeof outboxFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.outbox': SysOutbox;
  }
}

export const sysOutbox = defineModel('sys.outbox', {
  label: 'Event',
  noCompany: 'The server alone reads it.',
  order: '-id',
  displayName: '{channel} {id}',
  quiet: true,
  fields: outboxFields,
});

/** Stored in the same transaction as the change; sent after the commit. */
export async function publishEvents(db: Queryable, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length > 0) await db.execute(eventInsert(eventRows(events)));
}

/** Writes the rows of a query with `channel, payload, model, company_id, user_id`. */
export function eventInsert(rows: Sql): Sql {
  return sql`
    insert into sys_outbox (channel, payload, model, company_id, user_id, xact, create_date, write_date)
    select e.channel, e.payload::jsonb, e.model, e.company_id, e.user_id, pg_current_xact_id()::text::numeric, now(), now()
    from (${rows}) as e`;
}

export function eventRows(events: readonly OutboxEvent[]): Sql {
  return sql`
    select * from unnest(${events.map((event) => event.channel)}::text[],
      ${events.map((event) => JSON.stringify(event.payload))}::text[],
      ${events.map((event) => event.model ?? null)}::text[],
      ${events.map((event) => event.companyId ?? null)}::int4[],
      ${events.map((event) => event.userId ?? null)}::int4[]) as event(channel, payload, model, company_id, user_id)`;
}

/** The messages that the work published. Record changes are read from the change log. */
export function keepEvents({ events }: FinishedWork): KeptRows | null {
  return events.length === 0 ? null : { with: [sql`events as (${eventInsert(eventRows(events))})`] };
}
