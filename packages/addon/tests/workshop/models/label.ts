import { defineModel, type FieldsOf, fields, queueFields, queueIndexes } from '@kontor/addon';

const labelFields = {
  bike_id: fields.many2one('workshop.bike', { required: true, ondelete: 'cascade' }),
  printer: fields.char({ required: true, default: 'counter' }),
  ...queueFields,
  handed_at: fields.datetime({ readonly: true, copy: false }),
  state: fields.selection(
    {
      waiting: 'Waiting',
      running: 'Being printed',
      done: 'Printed',
      dead: 'Given up',
      skipped: 'Not needed',
      unclear: 'Possibly printed',
    },
    { required: true, default: 'waiting', readonly: true },
  ),
};
export interface WorkshopLabel extends FieldsOf<typeof labelFields> {}

declare module '@kontor/addon' {
  interface Models {
    'workshop.label': WorkshopLabel;
  }
}

export const workshopLabel = defineModel('workshop.label', {
  label: 'Label',
  displayName: '{bike_id.name}',
  quiet: true,
  fields: labelFields,
  indexes: [...queueIndexes, 'printer, id'],
});
