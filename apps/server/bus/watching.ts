import { setTimeout as pause } from 'node:timers/promises';
import type { Kernel } from '@kontor/kernel';
import { createPresence, type Presence } from '@kontor/parts';
import { queue, type RecordRef } from '@kontor/protocol';
import type { BusClient } from './bus-client.ts';
import { readable, tellPresence } from './tell-presence.ts';

/** Which of our clients show which records, and who else does. */
export interface Watching {
  /** What a client says it shows; only the last of many counts. */
  show(client: BusClient, records: readonly RecordRef[]): void;
  leave(client: BusClient): void;
  /** Somebody came or went, here or in another process. */
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
