import { currentCompany, defineModel, type FieldsOf, fields, inheritModel } from '@kontor/addon';

const teamFields = {
  name: fields.char({ required: true, size: 100, tracking: true, translated: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  user_id: fields.many2one('core.user', { label: 'Team leader', tracking: true }),
  member_ids: fields.many2many('core.user', { label: 'Members' }),
  order_ids: fields.one2many('sale.order', 'team_id', { label: 'Orders' }),
  order_count: fields.integer({ computed: true, label: 'Orders' }),
  monthly_target: fields.monetary({ label: 'Monthly target', min: 0 }),
  currency_id: fields.related('company_id.currency_id'),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
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
  order: 'sequence, name',
  chatter: {},
  fields: teamFields,
  computes: { order_count: { count: 'order_ids' } },
});

const userFields = {
  sale_team_ids: fields.many2many('sale.team', { label: 'Sales teams', inverse: 'member_ids' }),
};

declare module '@kontor/addon' {
  interface CoreUser extends FieldsOf<typeof userFields> {}
}

export const saleUser = inheritModel('core.user', { fields: userFields });
