import '@addons/calendar';
import { type FieldsOf, fields, inheritModel } from '@kontor/addon';

const eventFields = {
  lead_id: fields.many2one('crm.lead', { label: 'Lead', index: true, ondelete: 'set null', tracking: true }),
};
declare module '@addons/calendar' {
  interface CalendarEvent extends FieldsOf<typeof eventFields> {}
}

export const eventLead = inheritModel('calendar.event', { fields: eventFields });
