import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const langFields = {
  name: fields.char({ required: true, size: 100 }),
  code: fields.char({ required: true, unique: true, size: 16, help: 'Such as en_US.' }),
  iso_code: fields.char({ label: 'ISO code', size: 16 }),
  direction: fields.selection({ ltr: 'Left to right', rtl: 'Right to left' }, { required: true, default: 'ltr' }),
  date_format: fields.char({ size: 32 }),
  decimal_point: fields.char({ size: 4 }),
  thousands_sep: fields.char({ label: 'Thousands separator', size: 4 }),
  active: fields.boolean({}),
};

export interface CoreLang extends FieldsOf<typeof langFields> {}
declare module '@kontor/addon' {
  interface Models {
    'core.lang': CoreLang;
  }
}

export const coreLang = defineModel('core.lang', {
  label: 'Language',
  noCompany: 'Languages are the same for everyone.',
  order: 'name',
  fields: langFields,
});
