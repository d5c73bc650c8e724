import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const phoneFields = {
  partner_id: fields.many2one('core.partner', { label: 'Contact', required: true, ondelete: 'cascade', index: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  kind: fields.selection(
    { work: 'Work', mobile: 'Mobile', private: 'Private', fax: 'Fax', other: 'Other' },
    { required: true, default: 'work' },
  ),
  number: fields.char({ personal: true, required: true, size: 64, format: 'phone' }),
};

export interface CorePartnerPhone extends FieldsOf<typeof phoneFields> {}
declare module '@kontor/addon' {
  interface Models {
    'core.partner.phone': CorePartnerPhone;
  }
}

export const corePartnerPhone = defineModel('core.partner.phone', {
  label: 'Phone of a contact',
  order: 'sequence, id',
  displayName: '{number}',
  fields: phoneFields,
});
