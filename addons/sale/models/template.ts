import { currentCompany, defineModel, editable, type FieldsOf, fields } from '@kontor/addon';
import { productWords } from '../lines/priced-line.ts';

const templateFields = {
  name: fields.char({ required: true, size: 100 }),
  note: fields.text({ label: 'Terms', help: 'Added to the terms of the quotation.' }),
  line_ids: fields.one2many('sale.template.line', 'template_id', { label: 'Lines', copy: true }),
  company_id: fields.many2one('core.company', { label: 'Company', default: currentCompany }),
  active: fields.boolean({ default: true }),
};
const lineFields = {
  template_id: fields.many2one('sale.template', {
    ...{ label: 'Template', required: true, ondelete: 'cascade', index: true },
  }),
  sequence: fields.integer({ required: true, default: 10 }),
  line_type: fields.selection(
    { product: 'Product', option: 'Option', section: 'Section', note: 'Note' },
    { label: 'Kind', required: true, default: 'product' },
  ),
  product_id: fields.many2one('product.product', {
    ...{ label: 'Product', checkCompany: true, domain: [['can_be_sold', '=', true]] },
  }),
  name: fields.text({ label: 'Description', required: true, ...editable }),
  quantity: fields.decimal({ required: true, default: 1, precision: [14, 3] }),
  company_id: fields.related('template_id.company_id', { stored: true }),
};

export interface SaleTemplate extends FieldsOf<typeof templateFields> {}
export interface SaleTemplateLine extends FieldsOf<typeof lineFields, 'name'> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.template': SaleTemplate;
    'sale.template.line': SaleTemplateLine;
  }
}

/** Lines and terms that quotations often have. One without lines is a standard text. */
export const saleTemplate = defineModel('sale.template', {
  label: 'Quotation template',
  order: 'name, id',
  fields: templateFields,
  uniques: {
    name_in_company: { fields: ['name', 'company_id'], message: 'A template with this name already exists.' },
  },
});

export const saleTemplateLine = defineModel('sale.template.line', {
  label: 'Line of a template',
  order: 'template_id, sequence, id',
  displayName: '{name}',
  fields: lineFields,
  computes: { name: productWords },
});
