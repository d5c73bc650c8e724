import { portalActions } from '@addons/portal';
import {
  type CallsOf,
  companyValue,
  currentCompany,
  currentUser,
  Decimal,
  defineModel,
  type FieldsOf,
  fields,
  openRelated,
} from '@kontor/addon';

/** Every user of the app sees the progress of a project, whichever of its tasks and time entries they may see. */
const people = ['project.group_user'];

const projectFields = {
  name: fields.char({ required: true, size: 200, tracking: true }),
  state: fields.selection(
    { planned: 'Planned', running: 'Running', closed: 'Closed' },
    { required: true, default: 'planned', tracking: true, index: true },
  ),
  description: fields.html(),
  partner_id: fields.many2one('core.partner', { label: 'Customer', checkCompany: true, tracking: true }),
  user_id: fields.many2one('core.user', { label: 'Project manager', default: currentUser, tracking: true }),
  member_ids: fields.many2many('core.user', {
    label: 'Members',
    copy: true,
    through: { table: 'project_member_rel', own: 'project_id', other: 'user_id' },
  }),
  visibility: fields.selection(
    { everyone: 'Everyone with the app', members: 'Members only' },
    { required: true, default: companyValue('project_visibility') },
  ),
  tag_ids: fields.many2many('project.tag', { label: 'Tags' }),
  stage_ids: fields.many2many('project.stage', {
    label: 'Custom stages',
    copy: true,
    through: { table: 'project_stage_project_rel', own: 'project_id', other: 'stage_id' },
  }),
  color: fields.integer({ label: 'Colour', required: true, default: 0, min: 0, max: 11 }),
  date_start: fields.date({ label: 'Begins' }),
  date_end: fields.date({ label: 'Ends', tracking: true }),
  task_ids: fields.one2many('project.task', 'project_id', { label: 'Tasks' }),
  task_count: fields.integer({ label: 'Tasks', computed: true, stored: true, groups: people }),
  open_task_count: fields.integer({ label: 'Open tasks', computed: true, stored: true, groups: people }),
  progress: fields.decimal({
    label: 'Done (%)',
    precision: [5, 2],
    computed: true,
    stored: true,
    aggregate: 'average',
    groups: people,
  }),
  time_ids: fields.one2many('project.time', 'project_id', { label: 'Time entries' }),
  hours_planned: fields.decimal({ label: 'Planned hours', unit: 'hours', precision: [10, 2], min: 0 }),
  hours_spent: fields.decimal({
    label: 'Hours spent',
    precision: [12, 2],
    computed: true,
    stored: true,
    groups: people,
  }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  active: fields.boolean({ default: true }),
};

export interface ProjectProject extends FieldsOf<typeof projectFields> {}
export interface ProjectProjectCalls extends CallsOf<typeof projectProject> {}
declare module '@kontor/addon' {
  interface Models {
    'project.project': ProjectProject;
  }
  interface Calls {
    'project.project': ProjectProjectCalls;
  }
}

const allTasks = 'How far a project is depends on all its tasks, whoever asks.';

export const projectProject = defineModel('project.project', {
  label: 'Project',
  order: 'state, date_end, name, id',
  chatter: true,
  portal: {
    label: 'Projects',
    customer: 'partner_id',
    where: [['state', '!=', 'planned']],
    title: 'name',
    date: 'create_date',
    status: 'state',
    contact: 'user_id',
    shows: ['date_start', 'date_end'],
    lines: { field: 'task_ids', title: 'name', status: 'state' },
    allows: ['comment', 'attach'],
  },
  fields: projectFields,
  computes: {
    task_count: { count: 'task_ids', asServer: allTasks },
    open_task_count: {
      asServer: allTasks,
      depends: ['task_ids.state'],
      value: (project) => project.task_ids.filter((task) => task.state === 'open').length,
    },
    progress: {
      asServer: allTasks,
      depends: ['task_ids.state'],
      value: ({ task_ids: tasks }) => {
        const counted = tasks.filter((task) => task.state !== 'cancelled');
        const done = counted.filter((task) => task.state === 'done').length;
        return counted.length === 0 ? new Decimal(0) : new Decimal(done).times(100).div(counted.length).round(2);
      },
    },
    hours_spent: { sum: 'time_ids.hours', asServer: 'Everybody’s time uses up the hours that were planned.' },
  },
  constraints: {
    ends_after_it_begins: {
      on: ['date_start', 'date_end'],
      holds: ({ date_start: from, date_end: to }) => from === null || to === null || from <= to,
      message: 'A project cannot end before it begins.',
      field: 'date_end',
    },
  },
  states: {
    field: 'state',
    initial: 'planned',
    removable: ['planned'],
    conditions: {
      has_no_open_tasks: {
        reads: ['open_task_count'],
        holds: (project) => project.open_task_count === 0,
        message: 'Finish or cancel the open tasks before you close the project.',
      },
    },
  },
  moves: {
    start: { from: 'planned', to: 'running', label: 'Start', icon: 'play' },
    close: [
      { from: 'planned', to: 'closed', label: 'Close', icon: 'check' },
      { from: 'running', to: 'closed', label: 'Close', icon: 'check', needs: ['has_no_open_tasks'] },
    ],
    replan: { from: 'running', to: 'planned', label: 'Back to planned', icon: 'undo' },
    reopen: {
      from: 'closed',
      to: 'running',
      label: 'Reopen',
      icon: 'rotate-ccw',
      groups: ['project.group_manager'],
      refusal: 'Only a manager can reopen a closed project.',
    },
  },
  actions: {
    ...portalActions('project.project'),
    open_tasks: openRelated('project.task', 'project_id', { view: 'kanban', single: 'Choose one project.' }),
    open_time: openRelated('project.time', 'project_id', { view: 'list', single: 'Choose one project.' }),
  },
});
