import '@addons/crm';
import {
  type ActionCall,
  type CallsOf,
  type Env,
  type FieldsOf,
  fields,
  inheritModel,
  open,
  openRelated,
  UserError,
} from '@kontor/addon';

const leadFields = {
  order_ids: fields.one2many('sale.order', 'lead_id', { label: 'Quotations and orders' }),
  order_count: fields.integer({ label: 'Quotations and orders', computed: true }),
  ordered_total: fields.monetary({
    label: 'Ordered',
    computed: true,
    stored: true,
    groups: ['crm.group_user'],
    help: "The total of its confirmed orders in the company's currency.",
  }),
};

/** Code that imports this addon has the new fields on the lead: `lead.order_ids` compiles, `lead.orders` does not. */
declare module '@addons/crm' {
  interface CrmLead extends FieldsOf<typeof leadFields> {}
  interface CrmLeadCalls extends CallsOf<typeof leadQuotations> {}
}

export const leadQuotations = inheritModel('crm.lead', {
  fields: leadFields,
  computes: {
    order_count: { count: 'order_ids' },
    ordered_total: {
      sum: 'order_ids.confirmed_total',
      asServer: 'What an opportunity brought is said of the opportunity, whoever sold it.',
    },
  },
  actions: {
    new_quotation: { single: 'Choose one opportunity.', run: newQuotation },
    view_orders: openRelated('sale.order', 'lead_id', { action: 'sale.all_orders', view: 'list' }),
  },
  hooks: {
    // A hook, not an action: however an opportunity is lost, its quotations are cancelled.
    on: ['state'],
    async afterWrite({ env, ids, values }) {
      if (values.state === 'lost') await cancelQuotations(env, ids);
    },
  },
});

/**
 * Quotations of a lost opportunity are cancelled, whoever created them; confirmed orders stay. As the server: users who
 * may lose the opportunity need not see them, and learn nothing about them.
 */
async function cancelQuotations(env: Env, leadIds: readonly number[]): Promise<void> {
  const orders = env.sudo().model('sale.order');
  const open = await orders.search([
    ['lead_id', 'in', leadIds],
    ['state', 'in', 'open'],
  ]);
  if (open.length > 0) await orders.write(open, { state: 'cancel' });
}

/** Creates a quotation for the customer of the opportunity, by its salesperson, and opens it. */
async function newQuotation({ env, records }: ActionCall<'crm.lead'>) {
  const lead = await records.only('name', 'type', 'state', 'partner_id', 'user_id', 'company_id');
  if (lead.type !== 'opportunity') throw new UserError('Convert the lead into an opportunity first.');
  if (lead.state === 'lost') throw new UserError('This opportunity is lost. Restore it first.');
  if (lead.partner_id === null) throw new UserError('Choose a customer first.');
  const id = await env.model('sale.order').create({
    lead_id: lead.id,
    partner_id: lead.partner_id.id,
    user_id: lead.user_id?.id ?? env.uid,
    company_id: lead.company_id.id,
  });
  return open('sale.order', { view: 'form', id, edit: true });
}
