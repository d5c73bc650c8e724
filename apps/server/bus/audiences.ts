import type { Kernel } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { mayHear, type PublishedEvent } from '@kontor/parts';
import { type BusClient, textFrame } from './bus-client.ts';

/** Clients whose users have the same groups and company, and so receive the same events. */
interface Audience {
  readonly actor: Actor;
  readonly clients: Set<BusClient>;
}

export interface Audiences {
  add(client: BusClient): void;
  remove(client: BusClient): void;
  all(): Iterable<Audience>;
  ofPerson(uid: number): Iterable<BusClient>;
}

/** Groups clients, so that access is checked once for all clients of a kind. */
export function createAudiences(): Audiences {
  const byRights = new Map<string, Audience>();
  const byPerson = new Map<number, Set<BusClient>>();
  const keys = new Map<BusClient, string>();

  return {
    add(client) {
      const { actor } = client;
      const key = `${actor.companyId} ${actor.shownCompanyIds ?? ''} ${[...actor.groups].sort().join(' ')}`;
      keys.set(client, key);
      const audience = byRights.get(key) ?? { actor, clients: new Set() };
      byRights.set(key, audience);
      audience.clients.add(client);
      const own = byPerson.get(actor.uid) ?? new Set();
      byPerson.set(actor.uid, own);
      own.add(client);
    },
    remove(client) {
      const key = keys.get(client);
      if (key === undefined) return;
      keys.delete(client);
      const audience = byRights.get(key);
      audience?.clients.delete(client);
      if (audience?.clients.size === 0) byRights.delete(key);
      const own = byPerson.get(client.actor.uid);
      own?.delete(client);
      if (own?.size === 0) byPerson.delete(client.actor.uid);
    },
    all: () => byRights.values(),
    ofPerson: (uid) => byPerson.get(uid) ?? [],
  };
}

/** Sends each event to those who may receive it. Every frame is built once. */
export async function deliver(kernel: Kernel, audiences: Audiences, events: readonly PublishedEvent[]): Promise<void> {
  const forMany = events.filter((event) => event.userId === null);
  const frames = new Map(events.map((event) => [event, frameOf(event)]));
  const joined = (some: readonly PublishedEvent[]) => Buffer.concat(some.map((event) => frames.get(event) as Buffer));
  const whole = joined(forMany);
  for (const { actor, clients } of audiences.all()) {
    const heard = await kernel.read(actor, async (env) => forMany.filter((event) => mayHear(env, event)));
    if (heard.length === 0) continue;
    const bytes = heard.length === forMany.length ? whole : joined(heard);
    for (const client of clients) client.write(bytes);
  }
  for (const event of events) {
    if (event.userId === null) continue;
    for (const client of audiences.ofPerson(event.userId)) client.write(frames.get(event) as Buffer);
  }
}

function frameOf({ channel, payload }: PublishedEvent): Buffer {
  return textFrame(JSON.stringify({ channel, payload }));
}
