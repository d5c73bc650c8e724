import type { Env, WriteValues } from '@kontor/addon';
import { doneStage, firstStage, loadStages } from './stages.ts';

type Task = WriteValues<'project.task'>;

/** New tasks get the project of the task they are part of, and the first stage of their project. */
export async function fillNewTasks(env: Env, rows: readonly Task[]): Promise<readonly Task[]> {
  const stages = await loadStages(env);
  const projectOf = await projectsOf(env, rows);
  return rows.map((row) => {
    const projectId = row.project_id ?? projectOf.get(row.parent_id ?? 0);
    if (projectId === undefined) return row;
    const filled = { ...row, project_id: projectId };
    const isClosed = row.state === 'done' || row.state === 'cancelled';
    const stage = (row.state === 'done' && doneStage(stages, projectId)) || firstStage(stages, projectId);
    return {
      ...filled,
      ...(!row.stage_id && { stage_id: stage.id }),
      ...(isClosed && row.date_closed === undefined && { date_closed: env.now.toISOString() }),
    };
  });
}

/** What was made in a column for what is done is done. */
export async function settleNewTasks(env: Env, ids: readonly number[]): Promise<void> {
  const tasks = env.model('project.task');
  const done = await tasks.search([
    ['id', 'in', ids],
    ['state', '=', 'open'],
    ['stage_id.is_done', '=', true],
  ]);
  if (done.length > 0) await tasks.write(done, { state: 'done' });
}

async function projectsOf(env: Env, rows: readonly Task[]): Promise<ReadonlyMap<number, number>> {
  const parents = rows.flatMap((row) => (row.project_id === undefined && row.parent_id ? [row.parent_id] : []));
  if (parents.length === 0) return new Map();
  const tasks = await env.model('project.task').read([...new Set(parents)], ['project_id']);
  return new Map(tasks.map((task) => [task.id, task.project_id]));
}
