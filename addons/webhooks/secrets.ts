import { createHmac, randomBytes } from 'node:crypto';
import { type ActionCall, open, openPath, tellSecret, UserError } from '@kontor/addon';

/** As Standard Webhooks has it: 32 random bytes behind a prefix by which people and scanners know it. */
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

/** By every secret that is good now: while one is replaced, a receiver with either of them can check it. */
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
  // As the server: nobody reads the field itself. The caller has been found to be allowed to write this webhook, and whoever may
  // could point it at a server of their own; a stranger has been refused before this line.
  const subscriptions = env.sudo().model('webhook.subscription');
  await subscriptions.write([id], { is_secret_seen: true });
  const [row] = await subscriptions.read([id], ['secret']);
  return shown(id, row?.secret ?? '');
}

export async function renewSecret({ env, records }: ActionCall<'webhook.subscription'>) {
  const { id } = await records.only('id');
  tellSecret(env);
  // As the server, as above; nobody chooses a secret, and the one before is told to nobody.
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

/** What stands behind `#` is in no log: browsers send it to nobody. */
function shown(id: number, secret: string) {
  return openPath(`${open('webhook.subscription', { id }).redirect}#secret=${secret}`);
}
