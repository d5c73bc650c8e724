import { currentCompany, defineModel, type FieldsOf, fields, today } from '@kontor/addon';

const orderFields = {
  name: fields.char({ required: true, size: 64 }),
  reference: fields.char({ size: 64 }),
  partner_id: fields.many2one('core.partner', { required: true, index: true }),
  company_id: fields.many2one('core.company', { required: true, default: currentCompany }),
  state: fields.selection({ draft: 'Draft', sent: 'Sent', sale: 'Sold', cancel: 'Cancelled' }, { default: 'draft' }),
  date_order: fields.date({ required: true, default: today }),
  validity_date: fields.date({}),
  confirmed_at: fields.datetime({}),
  amount_untaxed: fields.decimal({ precision: [16, 2] }),
  amount_total: fields.decimal({ precision: [16, 2] }),
  is_urgent: fields.boolean({}),
  note: fields.text({}),
  line_ids: fields.one2many('bench.line', 'order_id'),
};

export interface BenchOrder extends FieldsOf<typeof orderFields> {}
declare module '@kontor/addon' {
  interface Models {
    'bench.order': BenchOrder;
  }
}

export const benchOrder = defineModel('bench.order', {
  label: 'Bench order',
  order: '-date_order, -id',
  fields: orderFields,
  indexes: ['-date_order, -id'],
});
