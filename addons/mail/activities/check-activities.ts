import type { Env, WriteValues } from '@kontor/addon';
import { checkMayComment, threadDetails } from '../chatter/thread.ts';

type ActivityValues = WriteValues<'mail.activity'>;

/** An activity is about a record that its maker may comment on; it keeps the record's name, and has a type. */
export async function checkActivities(env: Env, values: readonly ActivityValues[]): Promise<readonly ActivityValues[]> {
  const checked: ActivityValues[] = [];
  for (const row of values) {
    const { model, res_id: id } = row;
    // What is missing is refused afterwards, as any required field is.
    if (typeof model !== 'string' || typeof id !== 'number') {
      checked.push(row);
      continue;
    }
    if (!env.isSudo) await checkMayComment(env, { model, id });
    const { name } = await threadDetails(env, { model, id });
    checked.push({ ...row, record_name: name.slice(0, 500) });
  }
  return checked;
}

/** One that was moved to another record is about a record that its mover may comment on. */
export async function recheckActivities(env: Env, ids: readonly number[]): Promise<void> {
  const activities = env.sudo().model('mail.activity');
  for (const { id, model, res_id: target } of await activities.read(ids, ['model', 'res_id'])) {
    if (!env.isSudo) await checkMayComment(env, { model, id: target });
    const { name } = await threadDetails(env, { model, id: target });
    await activities.write([id], { record_name: name.slice(0, 500) });
  }
}
