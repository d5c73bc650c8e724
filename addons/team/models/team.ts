import { currentCompany, defineModel, type FieldsOf, fields, inheritModel, type Loaded } from '@kontor/addon';

const teamFields = {
  name: fields.char({ required: true, size: 100, tracking: true, translated: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  user_id: fields.many2one('core.user', { label: 'Leader', tracking: true }),
  member_ids: fields.many2many('core.user', { label: 'Members' }),
  color: fields.integer({ label: 'Colour', required: true, default: 0, min: 0, max: 11 }),
  company_id: fields.many2one('core.company', { label: 'Company', default: currentCompany }),
  currency_id: fields.related('company_id.currency_id'),
  monthly_target: fields.monetary({ min: 0, was: 'target' }),
  active: fields.boolean({ default: true }),
};

export interface SaleTeam extends FieldsOf<typeof teamFields> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.team': SaleTeam;
  }
}

export const saleTeam = defineModel('sale.team', {
  label: 'Sales team',
  cached: true,
  was: 'crm.team',
  joinedBy: ['name', 'company_id'],
  order: 'sequence, id',
  chatter: {},
  fields: teamFields,
});

const userFields = {
  sale_team_ids: fields.many2many('sale.team', { label: 'Sales teams', inverse: 'member_ids', was: 'crm_team_ids' }),
  sale_led_team_ids: fields.one2many('sale.team', 'user_id', {
    label: 'Teams that they lead',
    was: 'crm_led_team_ids',
  }),
};

declare module '@kontor/addon' {
  interface CoreUser extends FieldsOf<typeof userFields> {}
}

export const teamUser = inheritModel('core.user', { fields: userFields });

export const teamPaths = [
  'sale_team_ids.sequence',
  'sale_team_ids.active',
  'sale_team_ids.company_id',
  'sale_led_team_ids.sequence',
  'sale_led_team_ids.active',
  'sale_led_team_ids.company_id',
] as const;

/** The first team of a company that the user leads or belongs to. */
export function teamOf(user: Loaded<'core.user', (typeof teamPaths)[number]>, company: { readonly id: number } | null) {
  const own = [...user.sale_led_team_ids, ...user.sale_team_ids].filter(
    (team) => team.active && (team.company_id === null || team.company_id.id === company?.id),
  );
  return own.toSorted((a, b) => a.sequence - b.sequence || a.id - b.id)[0] ?? null;
}
