import { type FieldsOf, fields, inheritModel } from '@kontor/addon';

const companyFields = {
  sale_tax_id: fields.many2one('sale.tax', {
    label: 'Usual sales tax',
    help: 'For products that name no tax of their own.',
  }),
  sale_note: fields.text({ label: 'Terms on quotations' }),
  sale_validity_days: fields.integer({
    label: 'Valid for (days)',
    required: true,
    default: 30,
    min: 0,
    max: 365,
    help: '0: as long as nobody says otherwise.',
  }),
};

declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof companyFields> {}
}

export const saleCompany = inheritModel('core.company', { fields: companyFields });
