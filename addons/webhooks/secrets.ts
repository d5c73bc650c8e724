import { createHmac, randomBytes } from 'node:crypto';
import { type ActionCall, open, openPath, tellSecret, UserError } from '@kontor/addon';

/** As defined by Standard Webhooks: 32 random bytes after a prefix that people and scanners recognise. */
const prefix = 'whsec_';
const overlapMs = 86_400_000;

export function newSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`;
}

export interface Secrets {
  readonly secret: string | null;
  readonly secret_before: string | null;
  readonly secret_before_until: string | null;
}

/** Signed with every valid secret: while one is replaced, receivers with either of them can verify it. */
export function signatures(secrets: Secrets, id: string, seconds: number, body: string, now: Date): string {
  const { secret, secret_before: before, secret_before_until: until } = secrets;
  const isBeforeGood = before !== null && until !== null && Date.parse(until) > now.getTime();
  return [secret, ...(isBeforeGood ? [before] : [])]
    .filter((one) => one !== null)
    .map((one) => `v1,${sign(one, `${id}.${seconds}.${body}`)}`)
    .join(' ');
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}

export async function showSecret({ env, records }: ActionCall<'webhook.subscription'>) {
  const { id, is_secret_seen: isSeen } = await records.only('id', 'is_secret_seen');
  if (isSeen) throw new UserError('The secret was shown once. Create a new one if it was lost.');
  tellSecret(env);
  // As the server: the field itself cannot be read. The caller may write this webhook, as checked before, and could
  // point it at their own server anyway; others were rejected before this line.
  const subscriptions = env.sudo().model('webhook.subscription');
  await subscriptions.write([id], { is_secret_seen: true });
  const [row] = await subscriptions.read([id], ['secret']);
  return shown(id, row?.secret ?? '');
}

export async function renewSecret({ env, records }: ActionCall<'webhook.subscription'>) {
  const { id } = await records.only('id');
  tellSecret(env);
  // As the server, as above; users cannot choose a secret, and the previous one is not revealed.
  const subscriptions = env.sudo().model('webhook.subscription');
  const [row] = await subscriptions.read([id], ['secret']);
  const secret = newSecret();
  await subscriptions.write([id], {
    secret,
    secret_before: row?.secret ?? null,
    secret_before_until: new Date(env.now.getTime() + overlapMs).toISOString(),
    secret_since: env.now.toISOString(),
    is_secret_seen: true,
  });
  return shown(id, secret);
}

/** The part after `#` is in no log: browsers do not send it. */
function shown(id: number, secret: string) {
  return openPath(`${open('webhook.subscription', { id }).redirect}#secret=${secret}`);
}
