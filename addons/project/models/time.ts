import { type CallsOf, currentUser, defineModel, type FieldsOf, fields, today } from '@kontor/addon';

const timeFields = {
  name: fields.char({ label: 'What was done', size: 300 }),
  date: fields.date({ required: true, default: today, index: true }),
  user_id: fields.many2one('core.user', { label: 'Person', required: true, default: currentUser, index: true }),
  project_id: fields.many2one('project.project', {
    label: 'Project',
    required: true,
    index: true,
    ondelete: 'restrict',
    // Time on a task counts for its project.
    from: 'task_id.project_id',
  }),
  task_id: fields.many2one('project.task', { label: 'Task', index: true, ondelete: 'restrict' }),
  hours: fields.decimal({ unit: 'hours', precision: [6, 2], required: true, max: 24 }),
  company_id: fields.related('project_id.company_id', { stored: true }),
};

export interface ProjectTime extends FieldsOf<typeof timeFields> {}
export interface ProjectTimeCalls extends CallsOf<typeof projectTime> {}
declare module '@kontor/addon' {
  interface Models {
    'project.time': ProjectTime;
  }
  interface Calls {
    'project.time': ProjectTimeCalls;
  }
}

export const projectTime = defineModel('project.time', {
  label: 'Time entry',
  order: '-date, -id',
  displayName: '{project_id.name}, {date}',
  fields: timeFields,
  constraints: {
    takes_time: { on: ['hours'], holds: (entry) => entry.hours.gt(0), message: 'Enter the hours it took.' },
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
      message: 'The project is closed; no time can be logged on it.',
    },
  },
});
