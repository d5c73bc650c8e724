import { anyModel, type Env, KontorError, text } from '@kontor/addon';
import { namesSeen } from '../chatter/read-chatter.ts';
import { checkThread, type Thread } from '../chatter/thread.ts';

/** The open activities of a record, for everyone who may read it. */
export async function readActivities(env: Env, thread: Thread) {
  await checkThread(env, thread);
  // As the server: users who may read the record see the activities of others.
  const rows = await env
    .sudo()
    .model('mail.activity')
    .searchRead(
      [
        ['model', '=', thread.model],
        ['res_id', '=', thread.id],
        ['done', '=', false],
      ],
      ['name', 'note', 'due_date', 'user_id', 'type_id', 'type_id.name', 'type_id.icon'],
      { order: 'due_date, id', limit: 200 },
    );
  const own = await ownOf(
    env,
    rows.map(({ id }) => id),
  );
  const people = await namesSeen(
    env,
    rows.map((row) => row.user_id),
  );
  return {
    model: thread.model,
    recordId: thread.id,
    activities: rows.map((row) => ({
      id: row.id,
      name: row.name,
      note: row.note ?? '',
      dueDate: row.due_date,
      user: { id: row.user_id, name: people.get(row.user_id) ?? 'Somebody' },
      /** Whether the reader may change it and mark it as done. */
      isOwn: own.has(row.id),
      type: { id: row.type_id, name: row['type_id.name'], icon: row['type_id.icon'] },
    })),
  };
}

async function ownOf(env: Env, ids: readonly number[]): Promise<ReadonlySet<number>> {
  try {
    return new Set(await env.model('mail.activity').search([['id', 'in', [...ids]]]));
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return new Set();
    throw error;
  }
}

const most = 500;

/** The next activity of each of several records, as far as the caller may read them. */
export async function nextActivities(env: Env, model: string, ids: readonly number[]) {
  const { chatter, label } = env.registry.model(model);
  if (chatter === null)
    throw new KontorError('NOT_FOUND', text('{model} has no chatter.', { model: label }), { model });
  const readable = await anyModel(env, model).search([['id', 'in', [...ids]]]);
  // As the server, about records that the caller may read.
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
