import { currentCompany, defineModel, type FieldsOf, fields } from '@kontor/addon';

const parcelFields = {
  name: fields.char({ required: true, tracking: true }),
  state: fields.selection(
    { packed: 'Packed', sent: 'On its way' },
    { required: true, default: 'packed', tracking: true },
  ),
  place_id: fields.many2one('parcel.place', { label: 'Where it is', tracking: true, ondelete: 'set null' }),
  weight: fields.decimal({ precision: [12, 3], tracking: true }),
  is_fragile: fields.boolean({ tracking: true }),
  cost: fields.decimal({ precision: [12, 2], tracking: true, groups: ['base.group_system'] }),
  remark: fields.char({}),
  company_id: fields.many2one('core.company', { default: currentCompany }),
};
export interface ParcelParcel extends FieldsOf<typeof parcelFields> {}
declare module '@kontor/addon' {
  interface Models {
    'parcel.parcel': ParcelParcel;
  }
}

export const parcelParcel = defineModel('parcel.parcel', { label: 'Parcel', chatter: {}, fields: parcelFields });
