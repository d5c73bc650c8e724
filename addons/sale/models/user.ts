import { type FieldsOf, fields, inheritModel } from '@kontor/addon';

const userFields = {
  sale_team_ids: fields.many2many('sale.team', { label: 'Sales teams', inverse: 'member_ids' }),
};

declare module '@kontor/addon' {
  interface CoreUser extends FieldsOf<typeof userFields> {}
}

export const saleUser = inheritModel('core.user', { fields: userFields });
