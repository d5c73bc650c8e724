import '@addons/crm';
import { type CallsOf, type FieldsOf, fields, inheritModel, openRelated } from '@kontor/addon';
import { cancelQuotations } from '../leads/cancel-quotations.ts';
import { newQuotation } from '../leads/quotations.ts';

const leadFields = {
  order_ids: fields.one2many('sale.order', 'lead_id', { label: 'Quotations and orders' }),
  order_count: fields.integer({ label: 'Quotations and orders', computed: true }),
  ordered_total: fields.monetary({
    label: 'Ordered',
    computed: true,
    stored: true,
    help: "What its confirmed orders come to, in the company's currency.",
  }),
};

/** Whoever imports this addon finds the new fields on the lead: `lead.order_ids` compiles, `lead.orders` does not. */
declare module '@addons/crm' {
  interface CrmLead extends FieldsOf<typeof leadFields> {}
  interface CrmLeadCalls extends CallsOf<typeof leadQuotations> {}
}

export const leadQuotations = inheritModel('crm.lead', {
  fields: leadFields,
  computes: {
    order_count: { count: 'order_ids' },
    ordered_total: { sum: 'order_ids.confirmed_total' },
  },
  actions: {
    new_quotation: { single: 'Choose one opportunity.', run: newQuotation },
    view_orders: openRelated('sale.order', 'lead_id', { action: 'sale.all_orders', view: 'list' }),
  },
  hooks: {
    // A hook, not an action: whatever way an opportunity is lost, its quotations go with it.
    async afterWrite({ env, ids, values }) {
      if (values.state === 'lost') await cancelQuotations(env, ids);
    },
  },
});
