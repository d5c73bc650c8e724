import { currentCompany, currentUser, defineModel, type FieldsOf, fields } from '@kontor/addon';

const teamFields = {
  name: fields.char({ required: true, size: 100 }),
  sequence: fields.integer({ required: true, default: 10 }),
  user_id: fields.many2one('core.user', { label: 'Leader', default: currentUser }),
  member_ids: fields.many2many('core.user', {
    label: 'Members',
    through: { table: 'crm_team_member_rel', own: 'team_id', other: 'user_id' },
  }),
  color: fields.integer({ label: 'Colour', required: true, default: 0, min: 0, max: 11 }),
  company_id: fields.many2one('core.company', { label: 'Company', default: currentCompany }),
  currency_id: fields.many2one('core.currency', { label: 'Currency', related: 'company_id.currency_id' }),
  lead_ids: fields.one2many('crm.lead', 'team_id', { label: 'Leads' }),
  lead_count: fields.integer({ label: 'Leads', computed: true }),
  forecast: fields.monetary({
    label: 'Forecast',
    computed: true,
    stored: true,
    help: 'What its opportunities are worth, by their probability.',
  }),
  target: fields.monetary({ label: 'Monthly target', min: 0 }),
  active: fields.boolean({ default: true }),
};

export interface CrmTeam extends FieldsOf<typeof teamFields> {}
declare module '@kontor/addon' {
  interface Models {
    'crm.team': CrmTeam;
  }
}

export const crmTeam = defineModel('crm.team', {
  label: 'Sales team',
  order: 'sequence, id',
  fields: teamFields,
  computes: {
    lead_count: { count: 'lead_ids' },
    forecast: { sum: 'lead_ids.weighted_revenue' },
  },
});
