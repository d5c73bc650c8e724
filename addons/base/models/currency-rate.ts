import { defineModel, type FieldsOf, fields, today } from '@kontor/addon';
import { followRates } from '../rates/keep-rates.ts';

const rateFields = {
  currency_id: fields.many2one('core.currency', {
    label: 'Currency',
    required: true,
    ondelete: 'cascade',
    index: true,
  }),
  date: fields.date({ label: 'Valid from', required: true, default: today }),
  rate: fields.decimal({
    label: 'Rate',
    required: true,
    precision: [18, 8],
    aggregate: 'average',
    help: 'What one euro is worth in this currency from this day on.',
  }),
};

export interface CoreCurrencyRate extends FieldsOf<typeof rateFields> {}
declare module '@kontor/addon' {
  interface Models {
    'core.currency.rate': CoreCurrencyRate;
  }
}

/** The rate of a currency from a day on, until the next one. */
export const coreCurrencyRate = defineModel('core.currency.rate', {
  label: 'Exchange rate',
  cached: true,
  noCompany: 'Currencies are the same for everyone.',
  ownRules: 'Everybody reads the rates of all currencies.',
  order: 'currency_id, -date',
  displayName: '{currency_id} {date}',
  fields: rateFields,
  uniques: {
    one_a_day: { fields: ['currency_id', 'date'], message: 'This currency already has a rate from this day on.' },
  },
  hooks: {
    afterCreate: ({ env, ids }) => followRates(env, ids),
    afterWrite: ({ env, ids }) => followRates(env, ids),
    afterUnlink: ({ env }) => followRates(env),
  },
  constraints: {
    rate_is_positive: { on: ['rate'], holds: ({ rate }) => rate.gt(0), message: 'The rate must be more than 0.' },
  },
});
