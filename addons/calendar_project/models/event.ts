import '@addons/calendar';
import { type FieldsOf, fields, inheritModel } from '@kontor/addon';

const eventFields = {
  task_id: fields.many2one('project.task', { label: 'Task', index: true, ondelete: 'set null', tracking: true }),
};
declare module '@addons/calendar' {
  interface CalendarEvent extends FieldsOf<typeof eventFields> {}
}

export const eventTask = inheritModel('calendar.event', { fields: eventFields });
