import '@addons/team';
import { type FieldsOf, fields, inheritModel } from '@kontor/addon';

const teamFields = {
  order_ids: fields.one2many('sale.order', 'team_id', { label: 'Orders' }),
  order_count: fields.integer({ computed: true, label: 'Orders', groups: ['sale.group_user'] }),
};

declare module '@addons/team' {
  interface SaleTeam extends FieldsOf<typeof teamFields> {}
}

export const teamOrders = inheritModel('sale.team', {
  fields: teamFields,
  computes: { order_count: { count: 'order_ids' } },
});
