import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const lineFields = {
  order_id: fields.many2one('bench.order', { required: true, ondelete: 'cascade', index: true }),
  name: fields.char({ required: true, size: 200 }),
  quantity: fields.decimal({ precision: [12, 3], default: 1 }),
  price: fields.decimal({ precision: [16, 2] }),
};

export interface BenchLine extends FieldsOf<typeof lineFields> {}
declare module '@kontor/addon' {
  interface Models {
    'bench.line': BenchLine;
  }
}

export const benchLine = defineModel('bench.line', { label: 'Bench line', order: 'id', fields: lineFields });
