import { fields, inheritModel } from '@kontor/addon';

export const ticketSeverity = inheritModel('desk.ticket', {
  fields: { severity: fields.selection({ low: 'Low', high: 'High' }, { default: 'low' }) },
});
