import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const tagFields = {
  name: fields.char({ required: true, unique: true, size: 100, translated: true }),
  color: fields.integer({ label: 'Colour', required: true, default: 0, min: 0, max: 11 }),
  active: fields.boolean({ default: true }),
  partner_ids: fields.many2many('core.partner', { label: 'Contacts', inverse: 'tag_ids' }),
};

export interface CorePartnerTag extends FieldsOf<typeof tagFields> {}
declare module '@kontor/addon' {
  interface Models {
    'core.partner.tag': CorePartnerTag;
  }
}

export const corePartnerTag = defineModel('core.partner.tag', {
  label: 'Contact tag',
  noCompany: 'Tags are shared; contacts are not.',
  order: 'name',
  fields: tagFields,
});
