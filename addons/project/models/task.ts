import { portalActions } from '@addons/portal';
import {
  type CallsOf,
  companyValue,
  Decimal,
  defineModel,
  type Env,
  type FieldsOf,
  fields,
  now,
  sum,
} from '@kontor/addon';
import { repeatTasks } from './recurrence.ts';
import { startTimer, stopTimer } from './timer.ts';

/** Every user of the app sees the progress of a task, whichever of its subtasks and time entries they may see. */
const people = ['project.group_user'];

const taskFields = {
  name: fields.char({
    label: 'Task',
    required: true,
    size: 200,
    tracking: true,
    synonyms: ['Title', 'Subject', 'To do'],
  }),
  project_id: fields.many2one('project.project', {
    label: 'Project',
    required: true,
    ondelete: 'cascade',
    index: true,
    tracking: true,
    from: 'parent_id.project_id',
  }),
  stage_id: fields.many2one('project.stage', {
    label: 'Stage',
    required: true,
    index: true,
    tracking: true,
    copy: false,
  }),
  state: fields.selection(
    { open: 'Open', done: 'Done', cancelled: 'Cancelled' },
    { required: true, default: 'open', tracking: true, index: true },
  ),
  sequence: fields.integer({ required: true, default: 10 }),
  priority: fields.selection({ '0': 'Normal', '1': 'Important', '2': 'Urgent' }, { required: true, default: '0' }),
  color: fields.integer({ label: 'Colour', required: true, default: 0, min: 0, max: 11 }),
  tag_ids: fields.many2many('project.tag', { label: 'Tags', synonyms: ['Labels'] }),
  assignee_ids: fields.many2many('core.user', {
    label: 'Assignees',
    copy: true,
    through: { table: 'project_task_assignee_rel', own: 'task_id', other: 'user_id' },
    synonyms: ['Assigned to', 'Assignee'],
  }),
  partner_id: fields.related('project_id.partner_id'),
  description: fields.html(),

  parent_id: fields.many2one('project.task', { label: 'Part of', ondelete: 'cascade', index: true }),
  child_ids: fields.one2many('project.task', 'parent_id', { label: 'Subtasks' }),
  child_count: fields.integer({ label: 'Subtasks', computed: true, stored: true, groups: people }),
  depends_on_ids: fields.many2many('project.task', {
    label: 'Depends on',
    copy: false,
    through: { table: 'project_task_dependency_rel', own: 'task_id', other: 'depends_on_id' },
    help: 'Tasks that must be finished first.',
  }),
  blocking_ids: fields.many2many('project.task', { label: 'Blocks', copy: false, inverse: 'depends_on_ids' }),
  is_blocked: fields.boolean({ label: 'Waits for others', computed: true, stored: true }),

  date_start: fields.datetime({ label: 'Begins' }),
  date_end: fields.datetime({ label: 'Ends', ends: 'date_start' }),
  date_deadline: fields.date({
    label: 'Deadline',
    tracking: true,
    index: true,
    synonyms: ['Due', 'Due date'],
  }),
  date_closed: fields.datetime({ label: 'Closed', readonly: true, copy: false }),

  item_ids: fields.one2many('project.task.item', 'task_id', { label: 'Checklist', copy: true }),
  checklist: fields.char({ label: 'Steps done', computed: true, size: 20 }),
  repeat: fields.selection(
    { day: 'Days', week: 'Weeks', month: 'Months', year: 'Years' },
    { label: 'Repeats', copy: false, help: 'When the task is done, the next one is created.' },
  ),
  repeat_every: fields.integer({
    label: 'Every',
    required: true,
    default: 1,
    min: 1,
    max: 365,
    aggregate: 'average',
  }),
  repeat_until: fields.date({ label: 'Until' }),
  timer_ids: fields.one2many('project.timer', 'task_id', { label: 'Running timers' }),
  is_timed: fields.boolean({ label: 'My timer is running', computed: true }),

  time_ids: fields.one2many('project.time', 'task_id', { label: 'Time entries' }),
  hours_planned: fields.decimal({ label: 'Planned hours', unit: 'hours', precision: [10, 2], min: 0 }),
  hours_own: fields.decimal({
    label: 'Hours on the task itself',
    precision: [12, 2],
    computed: true,
    stored: true,
    groups: people,
  }),
  hours_spent: fields.decimal({
    label: 'Hours spent',
    precision: [12, 2],
    computed: true,
    stored: true,
    groups: people,
    help: 'Including its subtasks.',
  }),
  hours_left: fields.decimal({ label: 'Hours left', precision: [12, 2], computed: true, stored: true, groups: people }),
  progress: fields.decimal({
    label: 'Progress (%)',
    precision: [5, 2],
    computed: true,
    stored: true,
    aggregate: 'average',
    groups: people,
  }),
  company_id: fields.related('project_id.company_id', { stored: true }),
  active: fields.boolean({ default: true }),
};

export interface ProjectTask extends FieldsOf<typeof taskFields, 'stage_id'> {}
export interface ProjectTaskCalls extends CallsOf<typeof projectTask> {}
declare module '@kontor/addon' {
  interface Models {
    'project.task': ProjectTask;
  }
  interface Calls {
    'project.task': ProjectTaskCalls;
  }
}

const zero = new Decimal(0);
const whole = new Decimal(100);

const allTime = 'Everybody’s time uses up the hours that were planned.';

export const projectTask = defineModel('project.task', {
  label: 'Task',
  ownRules: 'Who is given a task works on it, though they may not see or change its project.',
  order: '-priority, sequence, date_deadline, id',
  chatter: { contactsFollow: true },
  timeline: {
    tasks: {
      ...{ label: 'Tasks', icon: 'list-checks', date: 'create_date', of: 'project_id.partner_id' },
      shows: ['project_id', 'stage_id'],
    },
  },
  portal: {
    label: 'Tasks',
    customer: 'project_id.partner_id',
    where: [['project_id.state', '!=', 'planned']],
    title: 'name',
    date: 'create_date',
    status: 'state',
    shows: ['project_id.name', 'date_deadline'],
    allows: ['comment', 'attach'],
  },
  mail: {
    alias: 'tasks',
    creates: { name: 'subject', description: 'body', project_id: companyValue('project_mail_id') },
  },
  due: {
    label: 'Tasks',
    icon: 'list-checks',
    date: 'date_deadline',
    by: 'assignee_ids',
    open: [['state', '=', 'open']],
    about: ['project_id'],
    done: 'done',
  },
  fields: taskFields,
  indexes: ['project_id, state'],
  computes: {
    child_count: { count: 'child_ids', asServer: 'A task is closed once all its subtasks are.' },
    checklist: {
      depends: ['item_ids.is_done'],
      value: ({ item_ids: items }) =>
        items.length === 0 ? '' : `${items.filter((item) => item.is_done).length}/${items.length}`,
    },
    is_timed: {
      depends: ['timer_ids.user_id'],
      // Users see only their own timer.
      value: ({ timer_ids: timers }) => timers.length > 0,
    },
    is_blocked: {
      asServer: 'A task waits for others also where its people do not see them.',
      depends: ['depends_on_ids.state'],
      value: (task) => task.depends_on_ids.some((other) => other.state === 'open'),
    },
    hours_own: { sum: 'time_ids.hours', asServer: allTime },
    hours_spent: {
      asServer: allTime,
      depends: ['hours_own', 'child_ids.hours_spent'],
      value: (task) => sum(task.child_ids, (child) => child.hours_spent).plus(task.hours_own ?? 0),
    },
    hours_left: {
      depends: ['hours_planned', 'hours_spent', 'state'],
      value: ({ hours_planned: planned, hours_spent: spent, state }) =>
        planned === null || state !== 'open' ? zero : planned.minus(spent),
    },
    progress: {
      depends: ['hours_planned', 'hours_spent', 'state'],
      value: ({ hours_planned: planned, hours_spent: spent, state }) => {
        if (state !== 'open') return state === 'done' ? whole : zero;
        const share = planned?.gt(0) ? spent.times(100).div(planned).round(2) : zero;
        return share.gt(whole) ? whole : share;
      },
    },
  },
  constraints: {
    ends_after_it_begins: {
      on: ['date_start', 'date_end'],
      holds: ({ date_start: from, date_end: to }) => from === null || to === null || from <= to,
      message: 'A task cannot end before it begins.',
      field: 'date_end',
    },
    project_of_its_parent: {
      on: ['parent_id', 'project_id'],
      reads: ['parent_id.project_id', 'project_id.id'],
      holds: ({ parent_id: parent, project_id: project }) => parent === null || parent.project_id.id === project.id,
      message: 'A subtask belongs to the project of its task.',
      field: 'parent_id',
    },
    project_is_open: {
      on: ['project_id', 'state'],
      reads: ['project_id.state'],
      holds: ({ state, project_id: project }) => state !== 'open' || project.state !== 'closed',
      message: 'The project is closed. Reopen it before you work on its tasks.',
    },
  },
  acyclic: {
    // A cycle of dependencies could never be finished.
    waits: {
      over: ['depends_on_ids', 'child_ids'],
      message: 'A task cannot depend on itself, directly or through other tasks or its subtasks.',
    },
  },
  states: {
    field: 'state',
    initial: 'open',
    abandoned: ['cancelled'],
    stages: {
      field: 'stage_id',
      state: (stage) => (stage.is_done ? 'done' : 'open'),
      within: { project_ids: 'project_id' },
      ownFirst: true,
    },
    conditions: {
      waits_for_nothing: {
        reads: ['depends_on_ids.state'],
        holds: (task) => task.depends_on_ids.every((other) => other.state !== 'open'),
        message: 'Finish the tasks that it depends on first.',
      },
      has_no_open_subtasks: {
        reads: ['child_ids.state'],
        holds: (task) => task.child_ids.every((child) => child.state !== 'open'),
        message: 'Finish or cancel its subtasks first.',
      },
    },
  },
  moves: {
    done: {
      from: 'open',
      to: 'done',
      label: 'Done',
      icon: 'check',
      needs: ['waits_for_nothing', 'has_no_open_subtasks'],
      sets: { date_closed: now },
      run: repeatTasks,
    },
    cancel: { from: 'open', to: 'cancelled', label: 'Cancel task', icon: 'x', sets: { date_closed: now } },
    reopen: {
      from: ['done', 'cancelled'],
      to: 'open',
      label: 'Reopen',
      icon: 'rotate-ccw',
      sets: { date_closed: null },
    },
  },
  hooks: {
    on: ['project_id'],
    afterWrite: ({ env, ids }) => moveDependents(env, ids),
  },
  actions: {
    ...portalActions('project.task'),
    /** Adds the caller to the assignees. */
    take: {
      label: 'Take',
      icon: 'user',
      run: async ({ env, records }) => {
        await env.model('project.task').write(records.ids, { assignee_ids: [['link', env.uid]] });
      },
    },
    start_timer: {
      label: 'Start timer',
      icon: 'clock',
      needs: 'read',
      single: 'Choose one task.',
      run: startTimer,
    },
    stop_timer: { label: 'Stop timer', icon: 'clock', needs: 'read', run: stopTimer },
  },
});

/**
 * Subtasks and time entries move with their task to another project; as the server, because those of others move too.
 */
async function moveDependents(env: Env, ids: readonly number[]): Promise<void> {
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
