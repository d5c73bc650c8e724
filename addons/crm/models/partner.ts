import '@addons/base';
import { type CallsOf, type FieldsOf, fields, inheritModel, openRelated } from '@kontor/addon';

const partnerFields = {
  lead_ids: fields.one2many('crm.lead', 'partner_id', { label: 'Leads and opportunities' }),
  lead_count: fields.integer({ label: 'Opportunities', computed: true }),
};

declare module '@addons/base' {
  interface CorePartner extends FieldsOf<typeof partnerFields> {}
  interface CorePartnerCalls extends CallsOf<typeof partnerLeads> {}
}

export const partnerLeads = inheritModel('core.partner', {
  fields: partnerFields,
  computes: { lead_count: { count: 'lead_ids' } },
  actions: {
    open_leads: openRelated('crm.lead', 'partner_id', { view: 'list', below: true }),
  },
});
