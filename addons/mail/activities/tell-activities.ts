import { anyModel, type Env, publish } from '@kontor/addon';

/**
 * Tells the open windows that what is to do has changed: `activity.changed` to those who may read the record,
 * `activity.assigned` to the person who has to do it, whose count it is in.
 */
export async function tellActivities(env: Env, ids: readonly number[]): Promise<void> {
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
