import { currentCompany, defineModel, type FieldsOf, fields } from '@kontor/addon';

const taxFields = {
  name: fields.char({ required: true, size: 100, help: 'Printed on the quotation, such as VAT 19 %.' }),
  percent: fields.decimal({
    required: true,
    default: 0,
    precision: [7, 4],
    min: 0,
    max: 100,
    label: 'Percent',
    aggregate: 'average',
  }),
  price_included: fields.boolean({ label: 'Included in prices' }),
  sequence: fields.integer({ required: true, default: 10 }),
  date_start: fields.date({ label: 'Valid from' }),
  date_end: fields.date({ label: 'Valid until' }),
  next_id: fields.many2one('sale.tax', {
    label: 'Replaced by',
    checkCompany: true,
    ondelete: 'set null',
    help: 'The tax that documents take after the last day.',
  }),
  company_id: fields.many2one('core.company', { label: 'Company', default: currentCompany }),
  active: fields.boolean({ default: true }),
};

export interface SaleTax extends FieldsOf<typeof taxFields> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.tax': SaleTax;
  }
}

export const saleTax = defineModel('sale.tax', {
  label: 'Sales tax',
  cached: true,
  order: 'sequence, name',
  fields: taxFields,
  acyclic: { replaced: { over: ['next_id'], message: 'A tax cannot replace itself.' } },
  constraints: {
    days_in_order: {
      on: ['date_start', 'date_end'],
      holds: ({ date_start: from, date_end: until }) => from === null || until === null || from <= until,
      message: 'The tax would end before it began.',
      field: 'date_end',
    },
  },
  uniques: { name_in_company: { fields: ['name', 'company_id'], message: 'A tax with this name already exists.' } },
});
