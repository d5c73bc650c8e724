import type { Env } from '@kontor/addon';
import type { Thread } from '../chatter/thread.ts';

/** As the server: a choice belongs to the person. One who left the record stays away unless a colleague adds them. */
export async function keepFollower(
  env: Env,
  { model, id }: Thread,
  uid: number,
  why: 'added' | 'mentioned',
): Promise<void> {
  const follows = env.sudo().model('mail.follow');
  const [old] = await follows.searchRead(
    [
      ['user_id', '=', uid],
      ['model', '=', model],
      ['res_id', '=', id],
    ],
    ['is_on'],
  );
  if (old && (old.is_on || why === 'mentioned')) return;
  if (old) await follows.write([old.id], { is_on: true, hears: null });
  else await follows.create({ user_id: uid, model, res_id: id, is_on: true, why });
}
