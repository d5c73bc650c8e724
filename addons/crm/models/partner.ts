import '@addons/base';
import { type CallsOf, type Env, type FieldsOf, fields, inheritModel, openRelated } from '@kontor/addon';

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
  computes: { lead_count: { count: 'lead_ids', below: true } },
  hooks: {
    on: ['latitude'],
    afterWrite: ({ env, ids }) => moveLeads(env, ids),
  },
  actions: {
    open_leads: openRelated('crm.lead', 'partner_id', { view: 'list', below: true }),
  },
});

/**
 * Leads with the customer's address follow when the customer is placed on the map. It follows from the customer, so it needs no
 * right on the leads.
 */
async function moveLeads(env: Env, partnerIds: readonly number[]): Promise<void> {
  const leads = env.sudo().model('crm.lead');
  const own = ['city', 'country_id', 'partner_id.city', 'partner_id.country_id'] as const;
  const positions = ['partner_id.latitude', 'partner_id.longitude'] as const;
  const found = await leads.searchRead(
    [
      ['partner_id', 'in', partnerIds],
      ['placed_by_hand', '=', false],
    ],
    [...own, ...positions],
  );
  const along = found.filter(
    (lead) => lead.city === lead['partner_id.city'] && lead.country_id === lead['partner_id.country_id'],
  );
  const [first] = along;
  if (!first) return;
  // All of its records are placed at the same position with one call.
  const [latitude, longitude] = [first['partner_id.latitude'], first['partner_id.longitude']];
  await leads.write(
    along.map(({ id }) => id),
    { latitude, longitude, placed_by_hand: false },
  );
}
