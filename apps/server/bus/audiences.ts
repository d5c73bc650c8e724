import type { Actor } from '@kontor/orm';
import type { BusClient } from './bus-client.ts';

/** Clients whose people have the same groups and company, and so hear the same. */
export interface Audience {
  readonly actor: Actor;
  readonly clients: Set<BusClient>;
}

export interface Audiences {
  add(client: BusClient): void;
  remove(client: BusClient): void;
  all(): Iterable<Audience>;
  ofPerson(uid: number): Iterable<BusClient>;
}

/** Sorts clients, so that what one may hear is worked out once for all who are like them. */
export function createAudiences(): Audiences {
  const byRights = new Map<string, Audience>();
  const byPerson = new Map<number, Set<BusClient>>();
  const keys = new Map<BusClient, string>();

  return {
    add(client) {
      const { actor } = client;
      const key = `${actor.companyId} ${[...actor.groups].sort().join(' ')}`;
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
