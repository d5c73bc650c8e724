import { fields as anyFields } from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

/** Currencies and contacts are models of the base addon, which the kernel knows by name only. */
const companyFields = {
  name: fields.char({ required: true, unique: true, size: 200 }),
  parent_id: fields.many2one('core.company', { label: 'Parent company' }),
  currency_id: anyFields.many2one('core.currency', { label: 'Currency', required: true }),
  partner_id: anyFields.many2one('core.partner', { label: 'Contact' }),
  email: fields.char({ label: 'E-mail', size: 320 }),
  phone: fields.char({ size: 64 }),
  website: fields.char({ size: 500 }),
  vat: fields.char({ label: 'Tax id', size: 64 }),
  logo: fields.image({}),
  active: fields.boolean({ default: true }),
};

export interface CoreCompany extends FieldsOf<typeof companyFields> {}
declare module '@kontor/orm' {
  interface Models {
    'core.company': CoreCompany;
  }
}

export const coreCompany = defineModel('core.company', { label: 'Company', order: 'name, id', fields: companyFields });
