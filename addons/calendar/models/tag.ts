import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const tagFields = {
  name: fields.char({ required: true, unique: true, size: 100, translated: true }),
  color: fields.integer({ label: 'Colour', required: true, default: 0, min: 0, max: 11 }),
};
export interface CalendarTag extends FieldsOf<typeof tagFields> {}
declare module '@kontor/addon' {
  interface Models {
    'calendar.tag': CalendarTag;
  }
}

export const calendarTag = defineModel('calendar.tag', {
  label: 'Kind of meeting',
  noCompany: 'Kinds of meetings are the same for everyone.',
  order: 'name',
  fields: tagFields,
});
