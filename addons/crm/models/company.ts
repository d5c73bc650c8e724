import { type FieldsOf, fields, inheritModel } from '@kontor/addon';

const companyFields = {
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

declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof companyFields> {}
}

export const crmCompany = inheritModel('core.company', { fields: companyFields });
