import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const typeFields = {
  name: fields.char({ required: true, size: 100, translated: true }),
  kind: fields.selection(
    { task: 'Task', call: 'Call', mail: 'E-mail', meeting: 'Meeting' },
    { required: true, default: 'task', help: 'Where it appears in the timeline of a customer.' },
  ),
  icon: fields.char({ size: 64, help: 'Name of an icon.' }),
  sequence: fields.integer({ required: true, default: 10 }),
  days: fields.integer({ label: 'Due in days', required: true, default: 0, min: 0, max: 3650 }),
  active: fields.boolean({ default: true }),
};
export interface MailActivityType extends FieldsOf<typeof typeFields> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.activity.type': MailActivityType;
  }
}

export const mailActivityType = defineModel('mail.activity.type', {
  label: 'Activity type',
  cached: true,
  noCompany: 'Kinds of activities are the same for everyone.',
  order: 'sequence, id',
  fields: typeFields,
});
