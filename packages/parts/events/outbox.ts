import { type Queryable, type Sql, sql } from '@kontor/database';
import type { FinishedWork, KeptRows, OutboxEvent, ShortWork } from '@kontor/kernel';
import type { Change } from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const outboxFields = {
  channel: fields.char({ required: true, size: 128 }),
  payload: fields.json({ required: true }),
  model: fields.char({ size: 128, help: 'Only people who may read it are told.' }),
  // No relations: an event may be about somebody who is deleted in the same transaction, before the event is written.
  company_id: fields.integer(),
  user_id: fields.integer({ help: 'Only this person is told.' }),
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
  order: '-id',
  displayName: '{channel} {id}',
  quiet: true,
  fields: outboxFields,
});

/** In the transaction of what happened; it is sent after the commit. */
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

const channels = { create: 'record.created', write: 'record.updated', unlink: 'record.deleted' } as const;

/** Every change is an event, beside those that the work published itself. */
export function keepEvents({ changes, events }: FinishedWork): KeptRows | null {
  const all = [...changeEvents(distinctChanges(changes)), ...events];
  return all.length === 0 ? null : { with: [sql`events as (${eventInsert(eventRows(all))})`] };
}

/** The event of a change that one statement makes and keeps. */
export function keepShortEvent({ model, operation }: ShortWork): KeptRows {
  const rows = sql`
    select ${channels[operation]}::text as channel, jsonb_build_object('model', ${model}::text, 'id', changed.id) as payload,
      ${model}::text as model, changed.company_id, null::int4 as user_id from changed`;
  return { with: [sql`events as (${eventInsert(rows)})`] };
}

/** Few records get one row each; many that differ only by id share rows of the outbox, which readers split again. */
const manyRecords = 100;
const idsOfRow = 500;

function changeEvents(changes: readonly Change[]): readonly OutboxEvent[] {
  if (changes.length < manyRecords) return changes.map((change) => eventOf(change, { id: change.id }));
  const alike = new Map<string, Change[]>();
  for (const change of changes) {
    const key = `${change.operation} ${change.model} ${change.companyId}`;
    const own = alike.get(key);
    if (own) own.push(change);
    else alike.set(key, [change]);
  }
  return [...alike.values()].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / idsOfRow) }, (_, at) => {
      const some = own.slice(at * idsOfRow, (at + 1) * idsOfRow);
      return eventOf(some[0] as Change, { ids: some.map(({ id }) => id) });
    }),
  );
}

function eventOf(
  { operation, model, companyId }: Change,
  which: { readonly id: number } | { readonly ids: readonly number[] },
): OutboxEvent {
  return { channel: channels[operation], payload: { model, ...which }, model, companyId };
}

/** A record that was created and then written in one transaction is one event. */
function distinctChanges(changes: readonly Change[]): readonly Change[] {
  const seen = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.model},${change.id}`;
    const earlier = seen.get(key);
    if (!earlier || change.operation === 'unlink') seen.set(key, change);
  }
  return [...seen.values()];
}
