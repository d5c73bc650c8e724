import type { Env } from '@kontor/addon';

/** Subtasks and time entries go with their task to another project. */
export async function takeAlong(env: Env, ids: readonly number[]): Promise<void> {
  const server = env.sudo();
  const tasks = await server.model('project.task').read(ids, ['project_id']);
  for (const projectId of new Set(tasks.map((task) => task.project_id))) {
    const taskIds = tasks.filter((task) => task.project_id === projectId).map((task) => task.id);
    const children = await server.model('project.task').search([
      ['parent_id', 'in', taskIds],
      ['project_id', '!=', projectId],
    ]);
    if (children.length > 0) await server.model('project.task').write(children, { project_id: projectId });
    const times = await server.model('project.time').search([
      ['task_id', 'in', taskIds],
      ['project_id', '!=', projectId],
    ]);
    if (times.length > 0) await server.model('project.time').write(times, { project_id: projectId });
  }
}
