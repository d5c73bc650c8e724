import { defineModel, type FieldsOf, fields } from '@kontor/addon';
import { noteRates } from '../rates/keep-rates.ts';

const currencyFields = {
  name: fields.char({ label: 'ISO code', required: true, unique: true, size: 3, isoCode: 'currency' }),
  full_name: fields.char({ required: true, size: 100, translated: true }),
  symbol: fields.char({ required: true, size: 8 }),
  decimal_places: fields.integer({ required: true, default: 2, min: 0, max: 6 }),
  rate: fields.decimal({
    label: 'Rate',
    precision: [18, 8],
    aggregate: 'average',
    help: 'What one euro is worth in this currency today. Prices are converted between currencies that have a rate.',
  }),
  rate_ids: fields.one2many('core.currency.rate', 'currency_id', { label: 'Rates by date' }),
  active: fields.boolean({ default: true }),
};

export interface CoreCurrency extends FieldsOf<typeof currencyFields> {}
declare module '@kontor/addon' {
  interface Models {
    'core.currency': CoreCurrency;
  }
}

export const coreCurrency = defineModel('core.currency', {
  label: 'Currency',
  cached: true,
  noCompany: 'Currencies are the same for everyone.',
  order: 'name',
  fields: currencyFields,
  hooks: {
    on: ['rate'],
    afterWrite: ({ env, ids, values }) => noteRates(env, ids, values.rate),
  },
  constraints: {
    rate_is_positive: {
      on: ['rate'],
      holds: ({ rate }) => rate === null || rate.gt(0),
      message: 'The rate must be more than 0.',
    },
  },
});
