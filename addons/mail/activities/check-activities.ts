import type { Env } from '@kontor/addon';
import { checkMayComment, threadDetails } from '../chatter/thread.ts';

/** An activity is about a record that who plans it may comment on, and keeps the record's name. */
export async function checkActivities(env: Env, ids: readonly number[]): Promise<void> {
  const activities = env.sudo().model('mail.activity');
  for (const { id, model, res_id: target } of await activities.read(ids, ['model', 'res_id'])) {
    if (!env.isSudo) await checkMayComment(env, { model, id: target });
    const { name } = await threadDetails(env, { model, id: target });
    await activities.write([id], { record_name: name.slice(0, 500) });
  }
}
