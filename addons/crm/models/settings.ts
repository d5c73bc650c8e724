import { companySettings, type FieldsOf, fields, type SettingsOf } from '@kontor/addon';

const settings = {
  crm_new_type: fields.selection(
    { lead: 'Lead', opportunity: 'Opportunity' },
    {
      label: 'What comes in begins as',
      required: true,
      default: 'lead',
      help: 'Where nobody says which: by the API and by import.',
    },
  ),
  crm_team_id: fields.many2one('crm.team', {
    label: 'Usual sales team',
    ondelete: 'set null',
    help: 'For leads whose salesperson is in no team, or that nobody has.',
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
