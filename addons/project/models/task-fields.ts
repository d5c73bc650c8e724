import { editable, type FieldsOf, fields } from '@kontor/addon';

const linkTable = 'project_task_dependency_rel';

export const taskFields = {
  name: fields.char({ label: 'Task', required: true, size: 200, tracking: true }),
  project_id: fields.many2one('project.project', {
    label: 'Project',
    required: true,
    ondelete: 'cascade',
    index: true,
    tracking: true,
    ...editable,
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
  tag_ids: fields.many2many('project.tag', { label: 'Tags' }),
  assignee_ids: fields.many2many('core.user', {
    label: 'Assignees',
    copy: true,
    through: { table: 'project_task_assignee_rel', own: 'task_id', other: 'user_id' },
  }),
  partner_id: fields.many2one('core.partner', { label: 'Customer', related: 'project_id.partner_id' }),
  description: fields.html(),

  parent_id: fields.many2one('project.task', { label: 'Part of', ondelete: 'cascade', index: true }),
  child_ids: fields.one2many('project.task', 'parent_id', { label: 'Subtasks' }),
  child_count: fields.integer({ label: 'Subtasks', computed: true, stored: true }),
  depends_on_ids: fields.many2many('project.task', {
    label: 'Depends on',
    copy: false,
    through: { table: linkTable, own: 'task_id', other: 'depends_on_id' },
    help: 'Tasks that must be finished first.',
  }),
  blocking_ids: fields.many2many('project.task', {
    label: 'Blocks',
    copy: false,
    through: { table: linkTable, own: 'depends_on_id', other: 'task_id' },
  }),
  is_blocked: fields.boolean({ label: 'Waits for others', computed: true, stored: true }),

  date_start: fields.datetime({ label: 'Begins' }),
  date_end: fields.datetime({ label: 'Ends' }),
  date_deadline: fields.date({ label: 'Deadline', tracking: true, index: true }),
  date_closed: fields.datetime({ label: 'Closed', readonly: true, copy: false }),

  time_ids: fields.one2many('project.time', 'task_id', { label: 'Time entries' }),
  hours_planned: fields.decimal({ label: 'Planned hours', precision: [10, 2], min: 0 }),
  hours_own: fields.decimal({ label: 'Hours on the task itself', precision: [12, 2], computed: true, stored: true }),
  hours_spent: fields.decimal({
    label: 'Hours spent',
    precision: [12, 2],
    computed: true,
    stored: true,
    help: 'With those of its subtasks.',
  }),
  hours_left: fields.decimal({ label: 'Hours left', precision: [12, 2], computed: true, stored: true }),
  progress: fields.decimal({ label: 'Progress (%)', precision: [5, 2], computed: true, stored: true }),
  company_id: fields.many2one('core.company', { label: 'Company', related: 'project_id.company_id', stored: true }),
  active: fields.boolean({ default: true }),
};

export interface ProjectTask extends FieldsOf<typeof taskFields, 'stage_id'> {}
declare module '@kontor/addon' {
  interface Models {
    'project.task': ProjectTask;
  }
}
