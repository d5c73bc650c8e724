import { defineModel, type FieldsOf, fields, sum } from '@kontor/addon';

const partFields = {
  name: fields.char({ required: true }),
  price: fields.decimal({ precision: [10, 2], required: true, default: '0' }),
  replaces_ids: fields.many2many('workshop.part', { label: 'Replaces' }),
};
export interface WorkshopPart extends FieldsOf<typeof partFields> {}

const lineFields = {
  repair_id: fields.many2one('workshop.repair', { required: true, ondelete: 'cascade' }),
  part_id: fields.many2one('workshop.part', { required: true }),
  kind: fields.selection({ part: 'Part', option: 'Option' }, { required: true, default: 'part' }),
  quantity: fields.decimal({ unit: 'hours', required: true, default: 1, min: 0 }),
  subtotal: fields.decimal({ computed: true, stored: true }),
};
export interface WorkshopLine extends FieldsOf<typeof lineFields> {}

declare module '@kontor/addon' {
  interface Models {
    'workshop.part': WorkshopPart;
    'workshop.line': WorkshopLine;
  }
}

export const workshopPart = defineModel('workshop.part', {
  label: 'Part',
  order: 'name',
  fields: partFields,
  acyclic: {
    newer: { over: ['replaces_ids'], message: 'A part cannot replace itself.', field: 'replaces_ids' },
  },
});

export const workshopLine = defineModel('workshop.line', {
  label: 'Repair line',
  partOf: 'repair_id',
  fields: lineFields,
  computes: {
    subtotal: {
      depends: ['quantity', 'part_id.price'],
      value: (line) => sum([line], ({ part_id: part, quantity }) => part?.price.times(quantity ?? 0)),
    },
  },
});
