import { defineModel, fields, type RecordOf } from '@kontor/addon';

const noticeFields = { name: fields.char({ required: true }) };
export interface ParcelNotice extends RecordOf<typeof noticeFields> {}
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
