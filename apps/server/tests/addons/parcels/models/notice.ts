import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const noticeFields = { name: fields.char({ required: true }) };
export interface ParcelNotice extends FieldsOf<typeof noticeFields> {}
declare module '@kontor/addon' {
  interface Models {
    'parcel.notice': ParcelNotice;
  }
}

export const parcelNotice = defineModel('parcel.notice', {
  label: 'Notice',
  chatter: { readersComment: true },
  fields: noticeFields,
});
