import { sql } from '@kontor/database';
import type { FinishedWork, KeptRows, OutboxEvent } from '@kontor/kernel';
import type { Change } from '@kontor/orm';
import { eventInsert, eventRows } from './outbox.ts';

const channels = { create: 'record.created', write: 'record.updated', unlink: 'record.deleted' } as const;

/** Every change is an event, beside those that the work published itself. */
export function keepEvents({ changes, events }: FinishedWork): KeptRows | null {
  const all = [...changeEvents(distinctChanges(changes)), ...events];
  return all.length === 0 ? null : { with: [sql`events as (${eventInsert(eventRows(all))})`] };
}

/** Few records are told one by one; of many, those that are told alike share rows of the outbox, which readers take apart. */
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
