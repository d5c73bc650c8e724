import '@addons/team';
import { companySettings, type FieldsOf, fields, type SettingsOf } from '@kontor/addon';

const settings = {
  crm_new_type: fields.selection(
    { lead: 'Lead', opportunity: 'Opportunity' },
    {
      label: 'New records start as',
      required: true,
      default: 'lead',
      help: 'For records from the API and from imports that do not specify it.',
    },
  ),
  crm_team_id: fields.many2one('sale.team', {
    label: 'Default sales team',
    ondelete: 'set null',
    help: 'For leads without a salesperson, or whose salesperson is in no team.',
  }),
};

export interface CrmSettings extends SettingsOf<'crm.settings', typeof settings> {}
declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof settings> {}
  interface Models {
    'crm.settings': CrmSettings;
  }
}

export const crmSettings = companySettings('crm.settings', { label: 'CRM settings', fields: settings });
