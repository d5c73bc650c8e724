import type { Kernel } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import type { Presence } from '@kontor/parts';
import { KontorError, type RecordRef } from '@kontor/protocol';
import type { BusClient } from './bus-client.ts';
import { textFrame } from './text-frame.ts';

/** Tells those of our clients that show a record who has it open: by name, where both may be read. */
export async function tellPresence(
  kernel: Kernel,
  presence: Presence,
  record: RecordRef,
  clients: Iterable<BusClient>,
): Promise<void> {
  const watching = [...clients].filter(({ watched }) => watched.some((each) => isSame(each, record)));
  if (watching.length === 0) return;
  const people = await presence.peopleAt(record);
  const known = new Map<Actor, Promise<Buffer | null>>();
  for (const client of watching) {
    const frame = known.get(client.actor) ?? frameFor(kernel, client.actor, record, people);
    known.set(client.actor, frame);
    const bytes = await frame;
    if (bytes) client.write(bytes);
  }
}

/** Which of these records a person may read now. */
export async function readable(
  kernel: Kernel,
  actor: Actor,
  records: readonly RecordRef[],
): Promise<readonly RecordRef[]> {
  const found: RecordRef[] = [];
  const models = new Set(records.map(({ model }) => model));
  for (const model of models) {
    const ids = records.filter((record) => record.model === model).map(({ id }) => id);
    const open = await kernel.read(actor, (env) => env.model(model).search([['id', 'in', ids]])).catch(noneIfRefused);
    found.push(...open.map((id) => ({ model, id })));
  }
  return found;
}

async function frameFor(
  kernel: Kernel,
  actor: Actor,
  record: RecordRef,
  people: readonly number[],
): Promise<Buffer | null> {
  if ((await readable(kernel, actor, [record])).length === 0) return null;
  const users = await kernel.read(actor, (env) =>
    env.model('core.user').searchRead([['id', 'in', [...people]]], ['name'], { order: 'name, id' }),
  );
  return textFrame(JSON.stringify({ channel: 'presence', payload: { ...record, users } }));
}

/** A model that there is not, or that is closed to the person, has no record for them. */
function noneIfRefused(error: unknown): number[] {
  if (error instanceof KontorError && (error.code === 'ACCESS_DENIED' || error.code === 'MODEL_NOT_FOUND')) return [];
  throw error;
}

function isSame(a: RecordRef, b: RecordRef): boolean {
  return a.model === b.model && a.id === b.id;
}
