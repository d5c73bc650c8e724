import { currentUser, defineModel, type Env, type FieldsOf, fields, today, type WriteValues } from '@kontor/addon';

const timeFields = {
  name: fields.char({ label: 'What was done', size: 300 }),
  date: fields.date({ required: true, default: today, index: true }),
  user_id: fields.many2one('core.user', { label: 'Person', required: true, default: currentUser, index: true }),
  project_id: fields.many2one('project.project', {
    label: 'Project',
    required: true,
    index: true,
    ondelete: 'restrict',
  }),
  task_id: fields.many2one('project.task', { label: 'Task', index: true, ondelete: 'restrict' }),
  hours: fields.decimal({ precision: [6, 2], required: true, max: 24 }),
  company_id: fields.many2one('core.company', { label: 'Company', related: 'project_id.company_id', stored: true }),
};

export interface ProjectTime extends FieldsOf<typeof timeFields> {}
declare module '@kontor/addon' {
  interface Models {
    'project.time': ProjectTime;
  }
}

export const projectTime = defineModel('project.time', {
  label: 'Time entry',
  order: '-date, -id',
  displayName: '{project_id.name}, {date}',
  fields: timeFields,
  constraints: {
    takes_time: { on: ['hours'], holds: (entry) => entry.hours.gt(0), message: 'Give the hours that it took.' },
    project_of_its_task: {
      on: ['task_id', 'project_id'],
      reads: ['task_id.project_id', 'project_id.id'],
      holds: ({ task_id: task, project_id: project }) => task === null || task.project_id.id === project.id,
      message: 'The task belongs to another project.',
    },
    project_is_open: {
      on: ['project_id', 'task_id', 'hours', 'date'],
      reads: ['project_id.state'],
      holds: (entry) => entry.project_id.state !== 'closed',
      message: 'The project is closed; no time can be booked on it.',
    },
  },
  onchange: {
    task_id: {
      reads: ['task_id.project_id'],
      value: (entry) => ({ project_id: entry.task_id?.project_id?.id }),
    },
  },
  hooks: { beforeCreate: ({ env, values }) => withProject(env, values) },
});

/** Time on a task is time on its project, without having to say so. */
async function withProject(
  env: Env,
  rows: readonly WriteValues<'project.time'>[],
): Promise<readonly WriteValues<'project.time'>[]> {
  const taskIds = rows.flatMap((row) => (row.project_id === undefined && row.task_id ? [row.task_id] : []));
  if (taskIds.length === 0) return rows;
  const tasks = await env.model('project.task').read([...new Set(taskIds)], ['project_id']);
  const projectOf = new Map(tasks.map((task) => [task.id, task.project_id]));
  return rows.map((row) => {
    const projectId = row.project_id === undefined && row.task_id ? projectOf.get(row.task_id) : undefined;
    return projectId === undefined ? row : { ...row, project_id: projectId };
  });
}
