import { newSecret } from '@addons/webhooks';
import { type ActionCall, open, openPath, tellSecret, UserError } from '@kontor/addon';

export async function showSecret({ env, records }: ActionCall<'automation.rule'>) {
  const { id, is_secret_seen: isSeen } = await records.only('id', 'is_secret_seen');
  if (isSeen) throw new UserError('The key was shown once. Create a new one if it was lost.');
  tellSecret(env);
  // As the server: the key cannot be read as a field. The caller may write this automation, as checked before.
  const rules = env.sudo().model('automation.rule');
  await rules.write([id], { is_secret_seen: true });
  const [row] = await rules.read([id], ['secret']);
  return shown(id, row?.secret ?? '');
}

export async function renewSecret({ env, records }: ActionCall<'automation.rule'>) {
  const { id } = await records.only('id');
  tellSecret(env);
  const secret = newSecret();
  // As the server, as above; people cannot choose a key.
  const values = { secret, secret_since: env.now.toISOString(), is_secret_seen: true };
  await env.sudo().model('automation.rule').write([id], values);
  return shown(id, secret);
}

/** The part after `#` is in no log: browsers do not send it. */
function shown(id: number, secret: string) {
  return openPath(`${open('automation.rule', { id }).redirect}#secret=${secret}`);
}
