import { setTimeout as pause } from 'node:timers/promises';
import type { Kernel } from '@kontor/kernel';
import { type Actor, isRecordId } from '@kontor/orm';
import { createPresence, type Presence } from '@kontor/parts';
import { KontorError, queue, type RecordRef } from '@kontor/protocol';
import { type BusClient, textFrame } from './bus-client.ts';

/** Which of our clients show which records, and who else does. */
interface Watching {
  /** The records that a client shows; only the last of several messages counts. */
  show(client: BusClient, records: readonly RecordRef[]): void;
  leave(client: BusClient): void;
  /** A user opened or left a record, here or in another process. */
  tell(record: RecordRef): void;
  refresh(): void;
  close(): Promise<void>;
}

const spacingMs = 100;

export function createWatching(kernel: Kernel, clients: ReadonlySet<BusClient>): Watching {
  const { database, log, ring } = kernel;
  const presence: Presence = createPresence({ database, log, ring });
  const wanted = new Map<BusClient, readonly RecordRef[]>();
  const onError = (error: unknown) => log.warn({ err: error }, 'presence could not be told');
  const telling = queue();

  async function settle(client: BusClient): Promise<void> {
    for (let records = wanted.get(client); records && clients.has(client); records = wanted.get(client)) {
      const open = await readable(kernel, client.actor, records);
      if (!clients.has(client)) break;
      const isNothingNew = open.length === 0 && client.watched.length === 0;
      client.watched = open;
      if (!isNothingNew) presence.show(client.id, client.actor.uid, open);
      if (wanted.get(client) === records) break;
      await pause(spacingMs);
    }
  }

  return {
    show(client, records) {
      const isBusy = wanted.has(client);
      wanted.set(client, records);
      if (!isBusy)
        void settle(client)
          .catch(onError)
          .finally(() => wanted.delete(client));
    },
    leave(client) {
      if (client.watched.length > 0) presence.show(client.id, client.actor.uid, []);
    },
    tell: (record) => void telling.run(() => tellPresence(kernel, presence, record, clients)).catch(onError),
    refresh: presence.refresh,
    async close() {
      await telling.idle();
      await presence.close();
    },
  };
}

/** Tells our clients that show a record who has it open: by name, if both may be read. */
async function tellPresence(
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

/** The records of these that a user may read now. */
async function readable(kernel: Kernel, actor: Actor, records: readonly RecordRef[]): Promise<readonly RecordRef[]> {
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

/** A model that does not exist, or that the user may not read, has no records for them. */
function noneIfRefused(error: unknown): number[] {
  if (error instanceof KontorError && (error.code === 'ACCESS_DENIED' || error.code === 'MODEL_NOT_FOUND')) return [];
  throw error;
}

function isSame(a: RecordRef, b: RecordRef): boolean {
  return a.model === b.model && a.id === b.id;
}

const mostRecords = 20;

/** The records of `{watch: [{model, id}]}`; null for anything else, which is ignored. */
export function readWatch(text: string): readonly RecordRef[] | null {
  const watch = watchOf(text);
  if (!Array.isArray(watch) || watch.length > mostRecords) return null;
  const records = new Map<string, RecordRef>();
  for (const item of watch as unknown[]) {
    if (!isRecordRef(item)) return null;
    records.set(`${item.model},${item.id}`, { model: item.model, id: item.id });
  }
  return [...records.values()];
}

function watchOf(text: string): unknown {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null ? (message as { watch?: unknown }).watch : undefined;
  } catch {
    return undefined;
  }
}

export function isRecordRef(item: unknown): item is RecordRef {
  if (typeof item !== 'object' || item === null) return false;
  const { model, id } = item as Record<string, unknown>;
  return typeof model === 'string' && model.length <= 128 && isRecordId(id);
}
