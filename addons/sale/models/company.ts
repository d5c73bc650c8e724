import { fields, inheritModel, type RecordOf } from '@kontor/addon';

const companyFields = {
  sale_tax_id: fields.many2one('sale.tax', {
    label: 'Usual sales tax',
    help: 'For products that name no tax of their own.',
  }),
  quotation_days: fields.integer({ label: 'Quotations hold for days', required: true, default: 30, min: 0, max: 365 }),
  sale_note: fields.text({ label: 'Terms on quotations' }),
};

declare module '@kontor/addon' {
  interface CoreCompany extends RecordOf<typeof companyFields> {}
}

export const saleCompany = inheritModel('core.company', { fields: companyFields });
