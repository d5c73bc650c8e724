import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const emailFields = {
  partner_id: fields.many2one('core.partner', { label: 'Contact', required: true, ondelete: 'cascade', index: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  kind: fields.selection(
    { work: 'Work', private: 'Private', billing: 'Billing', other: 'Other' },
    { required: true, default: 'work' },
  ),
  address: fields.char({ personal: true, label: 'E-mail', required: true, size: 320, format: 'email' }),
};

export interface CorePartnerEmail extends FieldsOf<typeof emailFields> {}
declare module '@kontor/addon' {
  interface Models {
    'core.partner.email': CorePartnerEmail;
  }
}

export const corePartnerEmail = defineModel('core.partner.email', {
  label: 'E-mail of a contact',
  order: 'sequence, id',
  displayName: '{address}',
  fields: emailFields,
});
