import { fields, inheritModel, type RecordOf } from '@kontor/addon';

const companyFields = {
  sale_tax_id: fields.many2one('sale.tax', {
    label: 'Usual sales tax',
    help: 'For products that name no tax of their own.',
  }),
  sale_note: fields.text({ label: 'Terms on quotations' }),
};

declare module '@kontor/addon' {
  interface CoreCompany extends RecordOf<typeof companyFields> {}
}

export const saleCompany = inheritModel('core.company', { fields: companyFields });
