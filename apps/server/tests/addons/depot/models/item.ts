import { currentCompany, currentUser, defineModel, type FieldsOf, fields, now, today } from '@kontor/addon';

const itemFields = {
  name: fields.char({ required: true, size: 40 }),
  code: fields.char({ unique: true, copy: false }),
  state: fields.selection({ open: 'Open', shut: 'Shut' }, { required: true, default: 'open' }),
  grade: fields.selection({ a: 'A', b: 'B' }),
  level: fields.integer({ min: -5, default: 1 }),
  rate: fields.float({}),
  price: fields.decimal({ precision: [12, 2] }),
  exact: fields.decimal({}),
  day: fields.date({ default: today }),
  at: fields.datetime({ default: now }),
  is_heavy: fields.boolean({}),
  note: fields.text({}),
  page: fields.html({}),
  extra: fields.json({}),
  secret: fields.char({ secret: true }),
  margin: fields.decimal({ precision: [12, 2], groups: ['base.group_system'] }),
  shelf_id: fields.many2one('depot.shelf', { domain: [['is_open', '=', true]], checkCompany: true }),
  owner_id: fields.many2one('core.user', { default: currentUser }),
  company_id: fields.many2one('core.company', { default: currentCompany }),
  crate_ids: fields.one2many('depot.crate', 'item_id'),
};
export interface DepotItem extends FieldsOf<typeof itemFields> {}
declare module '@kontor/addon' {
  interface Models {
    'depot.item': DepotItem;
  }
}

export const depotItem = defineModel('depot.item', {
  label: 'Item',
  fields: itemFields,
  states: { field: 'state', initial: 'open', locks: { shut: ['price', 'note'] } },
  moves: {
    shut: { from: 'open', to: 'shut', label: 'Shut' },
    reopen: { from: 'shut', to: 'open', label: 'Open again' },
  },
});
