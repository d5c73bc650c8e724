import type { Env } from '@kontor/orm';
import { invalidArgs } from '@kontor/protocol';
import type { OutboxEvent } from './keep-rows.ts';
import { workEvents } from './work-state.ts';

/** What servers tell each other through the outbox; never sent to a client. */
export const innerChannels = { session: 'session.changed', presence: 'presence.changed' } as const;

const channelPattern = /^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*$/;
const reserved: ReadonlySet<string> = new Set([
  ...Object.values(innerChannels),
  'record.created',
  'record.updated',
  'record.deleted',
  'presence',
]);

/**
 * Tells a channel of the bus, once the transaction is committed. Send ids and names, never the values of a record: everyone
 * who may read `model` in that company hears it, and everyone who is signed in when no model is named.
 * ```ts
 * export async function tellShipped(env: Env, orderId: number) {
 *   await publish(env, 'order.shipped', { model: 'sale.order', id: orderId }, { model: 'sale.order' });
 * }
 * ```
 */
export async function publish(
  env: Pick<Env, 'work'>,
  channel: string,
  payload: OutboxEvent['payload'],
  audience: Pick<OutboxEvent, 'model' | 'companyId' | 'userId'> = {},
): Promise<void> {
  if (channel.length > 128 || !channelPattern.test(channel)) {
    throw invalidArgs(`"${channel.slice(0, 80)}" is not a channel such as order.shipped.`);
  }
  if (reserved.has(channel)) throw invalidArgs(`The channel ${channel} is the server's own.`);
  addEvent(env, { channel, payload, ...audience });
}

/** The same on any channel, for the parts. */
export function addEvent({ work }: Pick<Env, 'work'>, event: OutboxEvent): void {
  const events = workEvents(work);
  if (!events) throw new Error('Events are published in a unit of work, not while only reading.');
  events.push(event);
}
