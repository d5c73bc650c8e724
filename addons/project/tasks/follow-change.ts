import type { Env, Loaded, WriteValues } from '@kontor/addon';
import { doneStage, firstStage, fits, loadStages, type Stages } from './stages.ts';

type Change = WriteValues<'project.task'>;
const paths = ['state', 'stage_id.id', 'project_id.id'] as const;
type Task = Loaded<'project.task', (typeof paths)[number]>;

/** State, stage and project go together, whoever changes which; subtasks and time entries move with their task. */
export async function followChange(env: Env, ids: readonly number[], change: Change): Promise<void> {
  if ('project_id' in change) await takeAlong(env, ids, change.project_id as number);
  if (!('state' in change || 'stage_id' in change || 'project_id' in change)) return;
  const stages = await loadStages(env);
  const tasks = env.model('project.task');
  const groups = new Map<string, { ids: number[]; values: Change }>();
  for (const task of await tasks.load(ids, paths)) {
    const values = following(env, task, change, stages);
    const key = JSON.stringify(values);
    if (key === '{}') continue;
    const known = groups.get(key);
    if (known) known.ids.push(task.id);
    else groups.set(key, { ids: [task.id], values });
  }
  for (const { ids: own, values } of groups.values()) await tasks.write(own, values);
}

function following(env: Env, task: Task, change: Change, stages: Stages): Change {
  const projectId = task.project_id.id;
  const stage = stages.get(task.stage_id.id);
  if ('state' in change) return afterState(env, task, stages);
  if (stage && !fits(stage, projectId) && !('stage_id' in change)) {
    const next = (stage.isDone && doneStage(stages, projectId)) || firstStage(stages, projectId);
    return { stage_id: next.id };
  }
  if (stage?.isDone && task.state === 'open') return { state: 'done' };
  if (stage && !stage.isDone && task.state === 'done') return { state: 'open' };
  return {};
}

function afterState(env: Env, task: Task, stages: Stages): Change {
  const projectId = task.project_id.id;
  const stage = stages.get(task.stage_id.id);
  if (task.state === 'open') {
    return { date_closed: null, ...(stage?.isDone && { stage_id: firstStage(stages, projectId).id }) };
  }
  const done = task.state === 'done' && !stage?.isDone ? doneStage(stages, projectId) : undefined;
  return { date_closed: env.now.toISOString(), ...(done && { stage_id: done.id }) };
}

async function takeAlong(env: Env, ids: readonly number[], projectId: number): Promise<void> {
  const server = env.sudo();
  const children = await server.model('project.task').search([
    ['parent_id', 'in', ids],
    ['project_id', '!=', projectId],
  ]);
  if (children.length > 0) await server.model('project.task').write(children, { project_id: projectId });
  const times = await server.model('project.time').search([
    ['task_id', 'in', ids],
    ['project_id', '!=', projectId],
  ]);
  if (times.length > 0) await server.model('project.time').write(times, { project_id: projectId });
}
