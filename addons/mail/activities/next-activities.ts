import { anyModel, type Env, KontorError, text } from '@kontor/addon';

const most = 500;

/** What is next to do about each of several records, as far as the caller may read them. */
export async function nextActivities(env: Env, model: string, ids: readonly number[]) {
  const { chatter, label } = env.registry.model(model);
  if (chatter === null)
    throw new KontorError('NOT_FOUND', text('{model} has no chatter.', { model: label }), { model });
  const readable = await anyModel(env, model).search([['id', 'in', [...ids]]]);
  const rows = await env
    .sudo()
    .model('mail.activity')
    .searchRead(
      [
        ['model', '=', model],
        ['res_id', 'in', readable],
        ['done', '=', false],
      ],
      ['res_id', 'name', 'due_date', 'type_id.icon'],
      { order: 'due_date, id', limit: most },
    );
  const next: Record<number, { name: string; dueDate: string; icon: string | null; count: number }> = {};
  for (const row of rows) {
    const known = next[row.res_id];
    if (known) known.count++;
    else next[row.res_id] = { name: row.name, dueDate: row.due_date, icon: row['type_id.icon'], count: 1 };
  }
  return { model, next };
}
