import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const reminderFields = {
  name: fields.char({ required: true, size: 100, translated: true }),
  minutes: fields.integer({ label: 'Minutes before', required: true, default: 15, min: 0, max: 40_320 }),
  by: fields.selection(
    { notice: 'Notification', mail: 'E-mail' },
    { label: 'Sent as', required: true, default: 'notice' },
  ),
};
export interface CalendarReminder extends FieldsOf<typeof reminderFields> {}
declare module '@kontor/addon' {
  interface Models {
    'calendar.reminder': CalendarReminder;
  }
}

/** How long before a meeting its attendees are reminded, and how. Meetings choose among these. */
export const calendarReminder = defineModel('calendar.reminder', {
  label: 'Reminder',
  noCompany: 'The times to choose from are the same for everyone.',
  order: 'minutes, id',
  fields: reminderFields,
});
