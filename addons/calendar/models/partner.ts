import '@addons/contacts';
import { type CallsOf, type FieldsOf, fields, inheritModel, open } from '@kontor/addon';

const partnerFields = {
  event_ids: fields.many2many('calendar.event', { label: 'Meetings', inverse: 'partner_ids', copy: false }),
  event_count: fields.integer({ label: 'Meetings', computed: true }),
};
declare module '@addons/base' {
  interface CorePartner extends FieldsOf<typeof partnerFields> {}
  interface CorePartnerCalls extends CallsOf<typeof partnerMeetings> {}
}

export const partnerMeetings = inheritModel('core.partner', {
  fields: partnerFields,
  computes: { event_count: { count: 'event_ids' } },
  actions: {
    open_meetings: {
      needs: 'read',
      single: 'Choose one contact.',
      run: async ({ records }) => {
        const { id } = await records.only();
        return open('calendar.event', {
          ...{ action: 'calendar.meetings', view: 'list', domain: [['partner_ids', '=', id]] },
          context: { default_partner_ids: [['link', id]] },
        });
      },
    },
  },
});
