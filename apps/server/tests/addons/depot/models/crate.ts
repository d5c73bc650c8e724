import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const crateFields = {
  name: fields.char({ required: true }),
  item_id: fields.many2one('depot.item'),
  width: fields.integer({}),
  area: fields.integer({ computed: true, stored: true }),
};
export interface DepotCrate extends FieldsOf<typeof crateFields> {}
declare module '@kontor/addon' {
  interface Models {
    'depot.crate': DepotCrate;
  }
}

/** Its width has a stored compute behind it, its name has not. */
export const depotCrate = defineModel('depot.crate', {
  label: 'Crate',
  fields: crateFields,
  computes: { area: { depends: ['width'], value: ({ width }) => (width ?? 0) ** 2 } },
});
