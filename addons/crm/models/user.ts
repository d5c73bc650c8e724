import { type FieldsOf, fields, inheritModel, type Loaded } from '@kontor/addon';

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

/** The first team that somebody leads or works in, in a company. */
export function teamOf(user: Loaded<'core.user', (typeof teamPaths)[number]>, company: { readonly id: number } | null) {
  const own = [...user.crm_led_team_ids, ...user.crm_team_ids].filter(
    (team) => team.active && (team.company_id === null || team.company_id.id === company?.id),
  );
  return own.toSorted((a, b) => a.sequence - b.sequence || a.id - b.id)[0] ?? null;
}
