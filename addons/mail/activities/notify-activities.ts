import { anyModel, type Env, mayPersonRead, publish, text } from '@kontor/addon';
import { assigned } from '../chatter/notices.ts';
import { authorOf } from '../chatter/notify-mentioned.ts';
import { notifyPerson } from '../chatter/notify-person.ts';
import { threadDetails } from '../chatter/thread.ts';

/**
 * Notifies open windows of changed activities: `activity.changed` to users who may read the record, `activity.assigned` to the
 * assignee, who has it in their count. As the server: only ids are published.
 */
export async function publishActivityChanges(env: Env, ids: readonly number[]): Promise<void> {
  const activities = await env
    .sudo()
    .model('mail.activity')
    .searchRead([['id', 'in', [...ids]]], ['model', 'res_id', 'user_id']);
  const records = new Map(activities.map(({ model, res_id: id }) => [`${model},${id}`, { model, id }]));
  for (const record of records.values()) {
    const companyId = await companyOf(env, record.model, record.id);
    await publish(env, 'activity.changed', record, { model: record.model, companyId });
  }
  for (const userId of new Set(activities.map((activity) => activity.user_id))) {
    await publish(env, 'activity.assigned', {}, { userId });
  }
}

async function companyOf(env: Env, model: string, id: number): Promise<number | null> {
  const known = env.registry.models.get(model);
  if (!known?.hasCompany) return null;
  const [record] = await anyModel(env.sudo(), model).searchRead([['id', '=', id]], ['company_id']);
  return typeof record?.company_id === 'number' ? record.company_id : null;
}

/**
 * Notifies assignees of new activities, unless they assigned them themselves. As the server: it goes to the assignee, as far as
 * they may read the record.
 */
export async function notifyAssignees(env: Env, ids: readonly number[]): Promise<void> {
  const activities = await env
    .sudo()
    .model('mail.activity')
    .read(ids, ['name', 'due_date', 'user_id', 'model', 'res_id', 'done', 'type_id.name']);
  const others = activities.filter((activity) => activity.user_id !== env.uid && !activity.done);
  if (others.length === 0) return;
  const { name: author, signature } = await authorOf(env);
  for (const activity of others) {
    const { model, res_id: id, user_id: uid } = activity;
    if (!(await mayPersonRead(env, uid, model, id))) continue;
    const thread = await threadDetails(env, { model, id });
    await notifyPerson(env, uid, thread, {
      ...{ spec: assigned, signature },
      title: text('{type} for you', { type: activity['type_id.name'] ?? text('Activity') }),
      line: text('{author} assigned you an activity on {name}:', { author, name: thread.name }),
      body: text('{name}, due {date}', { name: activity.name, date: activity.due_date }),
    });
  }
}
