import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const tagFields = {
  name: fields.char({ required: true, unique: true, size: 100, translated: true }),
  color: fields.integer({ label: 'Colour', required: true, default: 0, min: 0, max: 11 }),
};

export interface CrmTag extends FieldsOf<typeof tagFields> {}
declare module '@kontor/addon' {
  interface Models {
    'crm.tag': CrmTag;
  }
}

export const crmTag = defineModel('crm.tag', {
  label: 'Lead tag',
  noCompany: 'Tags are shared; leads are not.',
  order: 'name',
  fields: tagFields,
});
