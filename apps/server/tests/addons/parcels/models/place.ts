import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const placeFields = {
  name: fields.char({ required: true }),
  is_secret: fields.boolean({}),
};
export interface ParcelPlace extends FieldsOf<typeof placeFields> {}
declare module '@kontor/addon' {
  interface Models {
    'parcel.place': ParcelPlace;
  }
}

export const parcelPlace = defineModel('parcel.place', { label: 'Place', fields: placeFields });
