import {
  currentCompany,
  currentUser,
  defineModel,
  type FieldsOf,
  fields,
  inheritModel,
  type Loaded,
} from '@kontor/addon';

const teamFields = {
  name: fields.char({ required: true, size: 100, translated: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  user_id: fields.many2one('core.user', { label: 'Leader', default: currentUser }),
  member_ids: fields.many2many('core.user', {
    label: 'Members',
    through: { table: 'crm_team_member_rel', own: 'team_id', other: 'user_id' },
  }),
  color: fields.integer({ label: 'Colour', required: true, default: 0, min: 0, max: 11 }),
  company_id: fields.many2one('core.company', { label: 'Company', default: currentCompany }),
  currency_id: fields.related('company_id.currency_id'),
  lead_ids: fields.one2many('crm.lead', 'team_id', { label: 'Leads' }),
  lead_count: fields.integer({ label: 'Leads', computed: true }),
  forecast: fields.monetary({
    label: 'Forecast',
    computed: true,
    stored: true,
    meantFor: { groups: ['crm.group_manager'], where: ['|', ['user_id', '=', '$uid'], ['member_ids', '=', '$uid']] },
    help: 'The weighted value of its opportunities.',
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
    forecast: { sum: 'lead_ids.weighted_revenue', asServer: 'A forecast is that of the whole team, whoever asks.' },
  },
});

const userFields = {
  crm_team_ids: fields.many2many('crm.team', { label: 'Sales teams', inverse: 'member_ids' }),
  crm_led_team_ids: fields.one2many('crm.team', 'user_id', { label: 'Teams that they lead' }),
};

declare module '@kontor/addon' {
  interface CoreUser extends FieldsOf<typeof userFields> {}
}

export const crmUser = inheritModel('core.user', { fields: userFields });

export const teamPaths = [
  'crm_team_ids.sequence',
  'crm_team_ids.active',
  'crm_team_ids.company_id',
  'crm_led_team_ids.sequence',
  'crm_led_team_ids.active',
  'crm_led_team_ids.company_id',
] as const;

/** The first team of a company that the user leads or belongs to. */
export function teamOf(user: Loaded<'core.user', (typeof teamPaths)[number]>, company: { readonly id: number } | null) {
  const own = [...user.crm_led_team_ids, ...user.crm_team_ids].filter(
    (team) => team.active && (team.company_id === null || team.company_id.id === company?.id),
  );
  return own.toSorted((a, b) => a.sequence - b.sequence || a.id - b.id)[0] ?? null;
}
