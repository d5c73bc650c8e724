import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const countryFields = {
  name: fields.char({ required: true, size: 100, translated: true }),
  code: fields.char({ label: 'ISO code', required: true, unique: true, size: 2, isoCode: 'region' }),
  code3: fields.char({ label: 'ISO code, three letters', required: true, unique: true, size: 3 }),
  numeric: fields.char({ label: 'ISO number', size: 3 }),
  phone_code: fields.char({ personal: false, label: 'Calling code', size: 8 }),
  currency_id: fields.many2one('core.currency', { label: 'Currency' }),
  tz: fields.char({ label: 'Time zone', size: 64, help: 'Where most of its people live.' }),
};

export interface CoreCountry extends FieldsOf<typeof countryFields> {}
declare module '@kontor/addon' {
  interface Models {
    'core.country': CoreCountry;
  }
}

export const coreCountry = defineModel('core.country', {
  label: 'Country',
  cached: true,
  noCompany: 'Countries are the same for everyone.',
  order: 'name',
  fields: countryFields,
});
