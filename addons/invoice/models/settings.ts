import { companySettings, type FieldsOf, fields, type SettingsOf } from '@kontor/addon';

export const taxRoundings = { line: 'On each line', document: 'Once for each tax' } as const;

const days = { required: true, min: 1, max: 365 } as const;
const settings = {
  invoice_payment_days: fields.integer({
    label: 'Days to pay',
    required: true,
    default: 14,
    min: 0,
    max: 365,
    help: 'For customers without days to pay of their own.',
  }),
  invoice_reminder_1: fields.integer({ label: 'First reminder after (days)', default: 7, ...days }),
  invoice_reminder_2: fields.integer({ label: 'Second reminder after (days)', default: 21, ...days }),
  invoice_reminder_3: fields.integer({ label: 'Final reminder after (days)', default: 35, ...days }),
  invoice_tax_rounding: fields.selection(taxRoundings, {
    label: 'Tax is rounded',
    required: true,
    default: 'line',
    help: 'For new invoices.',
  }),
  invoice_note: fields.text({ label: 'Text on invoices' }),
};

export interface InvoiceSettings extends SettingsOf<'invoice.settings', typeof settings> {}
declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof settings> {}
  interface Models {
    'invoice.settings': InvoiceSettings;
  }
}

export const invoiceSettings = companySettings('invoice.settings', { label: 'Invoicing settings', fields: settings });
