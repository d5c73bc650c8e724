import { defineModel, type FieldsOf, fields } from '@kontor/addon';

/** The states of an order; stages share these values. */
export const orderStates = {
  draft: 'Quotation',
  sent: 'Quotation sent',
  sale: 'Sales order',
  cancel: 'Cancelled',
} as const;

const stageFields = {
  name: fields.char({ required: true, size: 60, translated: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  state: fields.selection(orderStates, {
    required: true,
    default: 'draft',
    help: 'The state of orders in this stage. Several stages may share one state.',
  }),
  fold: fields.boolean({ label: 'Collapsed in the kanban view' }),
};

export interface SaleStage extends FieldsOf<typeof stageFields> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.stage': SaleStage;
  }
}

export const saleStage = defineModel('sale.stage', {
  label: 'Sales stage',
  cached: true,
  noCompany: 'Stages are shared; orders are not.',
  order: 'sequence, id',
  fields: stageFields,
});
