import { defineModel, type FieldsOf, fields } from '@kontor/addon';
import { orderStates } from './order-states.ts';

const stageFields = {
  name: fields.char({ required: true, size: 60 }),
  sequence: fields.integer({ required: true, default: 10 }),
  state: fields.selection(orderStates, {
    required: true,
    default: 'draft',
    help: 'What an order becomes when it is moved here; several stages may share one.',
  }),
  fold: fields.boolean({ label: 'Folded in the kanban' }),
};

export interface SaleStage extends FieldsOf<typeof stageFields> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.stage': SaleStage;
  }
}

export const saleStage = defineModel('sale.stage', {
  label: 'Sales stage',
  order: 'sequence, id',
  fields: stageFields,
});
