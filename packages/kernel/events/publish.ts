import type { Env } from '@kontor/orm';
import { invalidArgs, type Notification } from '@kontor/protocol';
import { type OutboxEvent, publishEvents } from '../runtime/publish-events.ts';
import { slotsOf } from '../runtime/work-slots.ts';
import { keepNotifications } from './keep-notifications.ts';

/** What servers tell each other through the outbox; never sent to a client. */
export const innerChannels = { session: 'session.changed', presence: 'presence.changed' } as const;

export type Audience = Pick<OutboxEvent, 'model' | 'companyId' | 'userId'>;
/** Any env, typed or not. */
type AnyEnv = Pick<Env, 'db' | 'work'>;

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
  env: AnyEnv,
  channel: string,
  payload: Readonly<Record<string, unknown>>,
  audience: Audience = {},
): Promise<void> {
  if (channel.length > 128 || !channelPattern.test(channel)) {
    throw invalidArgs(`"${channel.slice(0, 80)}" is not a channel such as order.shipped.`);
  }
  if (reserved.has(channel)) throw invalidArgs(`The channel ${channel} is the server's own.`);
  await addEvent(env, { channel, payload, ...audience });
}

/**
 * Shows one person a message in the client, once the transaction is committed, and keeps it until they have read it.
 * ```ts
 * export async function tellDone(env: Env, userId: number) {
 *   await notify(env, userId, { kind: 'success', title: 'Import', body: '120 contacts are in.' });
 * }
 * ```
 */
export async function notify(env: AnyEnv, userId: number, message: Notification): Promise<void> {
  await keepNotifications(env.db, [userId], message);
  await addEvent(env, { channel: 'notify', payload: { ...message }, userId });
}

/** Tells the sockets of these sessions, in every process, to look whether they are still good. */
export async function tellSessions(env: AnyEnv, ids: readonly number[]): Promise<void> {
  for (const session of ids) await addEvent(env, { channel: innerChannels.session, payload: { session } });
}

async function addEvent(env: AnyEnv, event: OutboxEvent): Promise<void> {
  const slots = slotsOf(env.work);
  if (slots) slots.events.push(event);
  else await publishEvents(env.db, [event]);
}
