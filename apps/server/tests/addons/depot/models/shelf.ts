import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const shelfFields = {
  name: fields.char({ required: true }),
  is_open: fields.boolean({ default: true }),
  owner_id: fields.many2one('core.user'),
  company_id: fields.many2one('core.company'),
  label_code: fields.char({ secret: true, default: 'opens every shelf' }),
};
export interface DepotShelf extends FieldsOf<typeof shelfFields> {}
declare module '@kontor/addon' {
  interface Models {
    'depot.shelf': DepotShelf;
  }
}

export const depotShelf = defineModel('depot.shelf', { label: 'Shelf', fields: shelfFields });
