import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const itemFields = {
  task_id: fields.many2one('project.task', { label: 'Task', required: true, ondelete: 'cascade', index: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  name: fields.char({ label: 'Step', required: true, size: 300 }),
  is_done: fields.boolean({ label: 'Done', copy: false }),
};

export interface ProjectTaskItem extends FieldsOf<typeof itemFields> {}
declare module '@kontor/addon' {
  interface Models {
    'project.task.item': ProjectTaskItem;
  }
}

/** A step of a task without assignees and dates of its own. */
export const projectTaskItem = defineModel('project.task.item', {
  label: 'Checklist item',
  order: 'sequence, id',
  fields: itemFields,
});
