import { companySettings, type FieldsOf, fields, type SettingsOf } from '@kontor/addon';

const settings = {
  accounting_consultant: fields.integer({
    label: 'DATEV consultant number',
    min: 1001,
    max: 9_999_999,
    aggregate: 'none',
  }),
  accounting_client: fields.integer({ label: 'DATEV client number', min: 1, max: 99_999, aggregate: 'none' }),
};

export interface AccountingSettings extends SettingsOf<'accounting.settings', typeof settings> {}
declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof settings> {}
  interface Models {
    'accounting.settings': AccountingSettings;
  }
}

export const accountingSettings = companySettings('accounting.settings', {
  label: 'Accounting settings',
  fields: settings,
});
