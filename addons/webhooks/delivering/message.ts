import { anyModel, type Env } from '@kontor/addon';
import { namesOf } from '../check-subscription.ts';
import { type Secrets, signatures } from '../secrets.ts';

export interface Event {
  readonly key: string;
  readonly event: 'create' | 'write' | 'delete' | 'test';
  readonly model: string;
  readonly res_id: number | null;
  readonly changed: unknown;
  readonly change_set: number | null;
  readonly happened_at: string;
}

/** Headers and body of a request. */
export interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The record as JSON, as its owner may read it now; null if they may not, or if it was deleted. */
export async function recordJson(owner: Env, model: string, id: number, payload: unknown): Promise<string | null> {
  const names = [...namesOf('payload', payload)];
  const rows = await anyModel(owner, model).searchReadJson([['id', '=', id]], names, { limit: 1 });
  return rows === '[]' ? null : rows.slice(1, -1);
}

/** The text of an event. The record is already JSON: its amounts keep their digits. */
export function bodyOf(subscriptionId: number, event: Event, record: string | null): string {
  const data = {
    subscription: subscriptionId,
    event: event.event,
    model: event.model,
    id: event.res_id,
    changed: event.changed ?? [],
    change_set: event.change_set,
  };
  const head = JSON.stringify({ type: `${event.model}.${event.event}`, timestamp: event.happened_at });
  return `${head.slice(0, -1)},"data":${JSON.stringify(data).slice(0, -1)},"record":${record ?? 'null'}}}`;
}

/** Signed with the time of sending, as defined by Standard Webhooks. */
export function messageOf(secrets: Secrets, key: string, body: string, now: Date): Message {
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Kontor-Webhooks/1',
      'webhook-id': key,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatures(secrets, key, seconds, body, now),
    },
  };
}
