import { hash, randomBytes } from 'node:crypto';
import { type ActionCall, type Env, openPath, tellSecret } from '@kontor/addon';

const secretLength = 48;
export const feedPath = `/web/calendar/feed/:secret(^[0-9a-f]{${secretLength}}).ics`;

export async function renewAddress({ env, records }: ActionCall<'calendar.feed'>) {
  tellSecret(env);
  const secret = randomBytes(secretLength / 2).toString('hex');
  // As the server: users cannot choose the secret of an address. The caller owns this one, as checked before.
  await env
    .sudo()
    .model('calendar.feed')
    .write(records.ids, { secret_hash: hash('sha256', secret), renewed_at: env.now.toISOString() });
  return openPath(`/web/calendar/feed/${secret}.ics`);
}

/** The owner of an address; null if there is none. As the server: anyone who knows the secret need not be signed in. */
export async function ownerOf(env: Env, secret: string): Promise<number | null> {
  const [feed] = await env
    .sudo()
    .model('calendar.feed')
    .searchRead([['secret_hash', '=', hash('sha256', secret)]], ['user_id']);
  return feed?.user_id ?? null;
}
