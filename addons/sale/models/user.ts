import { fields, inheritModel, type RecordOf } from '@kontor/addon';

const userFields = {
  sale_team_ids: fields.many2many('sale.team', { label: 'Sales teams', inverse: 'member_ids' }),
};

declare module '@kontor/addon' {
  interface CoreUser extends RecordOf<typeof userFields> {}
}

export const saleUser = inheritModel('core.user', { fields: userFields });
