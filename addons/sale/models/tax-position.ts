import { currentCompany, defineModel, type FieldsOf, fields } from '@kontor/addon';
import { taxTreatments } from '../taxes/treatment.ts';

const positionFields = {
  name: fields.char({ required: true, size: 100 }),
  sequence: fields.integer({ required: true, default: 10 }),
  area: fields.selection(
    {
      domestic: 'Own country',
      union: 'Other countries of the European Union',
      abroad: 'Abroad',
      countries: 'These countries',
      chosen: 'Only where it is chosen',
    },
    { label: 'Customers', required: true, default: 'chosen' },
  ),
  country_ids: fields.many2many('core.country', { label: 'Countries' }),
  needs_tax_id: fields.boolean({ label: 'Only with a tax id' }),
  treatment: fields.selection(taxTreatments, { label: 'Tax treatment', required: true, default: 'normal' }),
  note: fields.text({ label: 'Text on documents', help: 'Why no tax is charged, as the law asks for it.' }),
  line_ids: fields.one2many('sale.tax.position.line', 'position_id', { label: 'Taxes', copy: true }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  active: fields.boolean({ default: true }),
};
const lineFields = {
  position_id: fields.many2one('sale.tax.position', {
    ...{ label: 'Tax position', required: true, ondelete: 'cascade', index: true },
  }),
  tax_id: fields.many2one('sale.tax', { label: 'Tax', required: true, checkCompany: true, ondelete: 'cascade' }),
  replacement_id: fields.many2one('sale.tax', {
    ...{ label: 'Is replaced by', checkCompany: true, ondelete: 'cascade', help: 'If empty, the tax is left out.' },
  }),
  company_id: fields.related('position_id.company_id', { stored: true }),
};

export interface SaleTaxPosition extends FieldsOf<typeof positionFields> {}
export interface SaleTaxPositionLine extends FieldsOf<typeof lineFields> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.tax.position': SaleTaxPosition;
    'sale.tax.position.line': SaleTaxPositionLine;
  }
}

/** Which taxes customers pay, by their country and whether they have a tax id. */
export const saleTaxPosition = defineModel('sale.tax.position', {
  label: 'Tax position',
  cached: true,
  order: 'sequence, id',
  fields: positionFields,
  uniques: {
    name_in_company: { fields: ['name', 'company_id'], message: 'A tax position with this name already exists.' },
  },
  constraints: {
    names_countries: {
      on: ['area', 'country_ids'],
      holds: ({ area, country_ids: countries }) => area !== 'countries' || countries.length > 0,
      message: 'Choose the countries.',
      field: 'country_ids',
    },
  },
});

export const saleTaxPositionLine = defineModel('sale.tax.position.line', {
  label: 'Tax of a position',
  cached: true,
  order: 'position_id, id',
  displayName: '{tax_id}',
  fields: lineFields,
  uniques: {
    once: { fields: ['position_id', 'tax_id', 'replacement_id'], message: 'This tax is listed already.' },
  },
});
