import '@addons/crm';
import { type CallsOf, type FieldsOf, fields, inheritModel, open } from '@kontor/addon';

const leadFields = {
  event_ids: fields.one2many('calendar.event', 'lead_id', { label: 'Meetings', copy: false }),
  event_count: fields.integer({ label: 'Meetings', computed: true }),
};
declare module '@addons/crm' {
  interface CrmLead extends FieldsOf<typeof leadFields> {}
  interface CrmLeadCalls extends CallsOf<typeof leadMeetings> {}
}

export const leadMeetings = inheritModel('crm.lead', {
  fields: leadFields,
  computes: { event_count: { count: 'event_ids' } },
  actions: {
    /** Opens the meetings about a lead; a new one is about it, with its customer as a guest. */
    open_meetings: {
      needs: 'read',
      single: 'Choose one lead.',
      run: async ({ records }) => {
        const { id, name, partner_id: partner } = await records.only('name', 'partner_id.id');
        const guest = partner ? { default_partner_ids: [['link', partner.id] as const] } : {};
        return open('calendar.event', {
          ...{ action: 'calendar.meetings', view: 'list', domain: [['lead_id', '=', id]] },
          context: { default_lead_id: id, default_name: name, ...guest },
        });
      },
    },
  },
});
