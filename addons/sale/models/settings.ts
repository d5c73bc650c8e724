import {
  type CastValues,
  companySettings,
  type Env,
  type FieldsOf,
  fields,
  inheritModel,
  type SettingsOf,
} from '@kontor/addon';

const settings = {
  sale_tax_id: fields.many2one('sale.tax', {
    label: 'Default sales tax',
    help: 'For products without a tax of their own.',
  }),
  sale_note: fields.text({ label: 'Terms on quotations' }),
  sale_validity_days: fields.integer({
    label: 'Valid for (days)',
    required: true,
    default: 30,
    min: 0,
    max: 365,
    help: '0: no expiry by default.',
  }),
};
const numberFields = {
  prefix_code: fields.char({
    label: 'Number prefix',
    size: 16,
    help: 'For new quotations in companies without their own sequence.',
  }),
};

export interface SaleSettings extends SettingsOf<'sale.settings', typeof settings>, FieldsOf<typeof numberFields> {}
declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof settings> {}
  interface Models {
    'sale.settings': SaleSettings;
  }
}

export const saleSettings = [
  ...companySettings('sale.settings', { label: 'Sales settings', fields: settings }),
  inheritModel('sale.settings', {
    fields: numberFields,
    hooks: {
      afterCreate: ({ env, values }) => keepPrefix(env, values),
      afterWrite: ({ env, values }) => keepPrefix(env, [values]),
    },
  }),
];

/** As the server: sales managers need no right on sequences. */
async function keepPrefix(env: Env, said: readonly CastValues<'sale.settings'>[]): Promise<void> {
  const prefix = said.find((values) => values.prefix_code)?.prefix_code;
  if (!prefix) return;
  const id = await env.ref('sale.sequence_order');
  await env.sudo().model('sys.sequence').write([id], { prefix });
}
