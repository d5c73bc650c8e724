import '@addons/team';
import { type FieldsOf, fields, inheritModel } from '@kontor/addon';

const sellers = ['crm.group_user'];
const teamFields = {
  lead_ids: fields.one2many('crm.lead', 'team_id', { label: 'Leads' }),
  lead_count: fields.integer({ label: 'Leads', computed: true, groups: sellers }),
  forecast: fields.monetary({
    label: 'Forecast',
    computed: true,
    stored: true,
    groups: sellers,
    meantFor: { groups: ['crm.group_manager'], where: ['|', ['user_id', '=', '$uid'], ['member_ids', '=', '$uid']] },
    help: 'The weighted value of its opportunities.',
  }),
};

declare module '@addons/team' {
  interface SaleTeam extends FieldsOf<typeof teamFields> {}
}

export const teamLeads = inheritModel('sale.team', {
  fields: teamFields,
  computes: {
    lead_count: { count: 'lead_ids' },
    forecast: { sum: 'lead_ids.weighted_revenue', asServer: 'A forecast is that of the whole team, whoever asks.' },
  },
});
