import { companySettings, type FieldsOf, fields, type SettingsOf } from '@kontor/addon';

const settings = {
  mailing_most_per_hour: fields.integer({
    label: 'Most mails per hour',
    required: true,
    default: 500,
    min: 1,
    max: 50_000,
    help: 'Of all mailings of the company together. Ask the operator of your mail server what it allows.',
  }),
};
export interface MailingSettings extends SettingsOf<'mailing.settings', typeof settings> {}
declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof settings> {}
  interface Models {
    'mailing.settings': MailingSettings;
  }
}

export const mailingSettings = companySettings('mailing.settings', { label: 'Bulk mail settings', fields: settings });
