import '@addons/sale';
import { Decimal, type Env, type FieldsOf, fields, inheritModel, sum } from '@kontor/addon';

const orderFields = {
  lead_id: fields.many2one('crm.lead', {
    label: 'Opportunity',
    checkCompany: true,
    index: true,
    ondelete: 'set null',
    domain: [['type', '=', 'opportunity']],
  }),
  confirmed_total: fields.monetary({
    label: 'Confirmed',
    computed: true,
    stored: true,
    help: "The confirmed total in the company's currency.",
  }),
};

declare module '@addons/sale' {
  interface SaleOrder extends FieldsOf<typeof orderFields> {}
}

export const orderLead = inheritModel('sale.order', {
  fields: orderFields,
  computes: {
    confirmed_total: {
      depends: ['state', 'amount_total', 'currency_rate', 'currency_id', 'company_currency_id'],
      value: ({ state, amount_total: total, currency_rate: rate, currency_id: own, company_currency_id: company }) => {
        if (state !== 'sale') return new Decimal(0);
        return own?.id === company?.id ? total : total.div(rate?.gt(0) ? rate : 1);
      },
    },
  },
  hooks: {
    // A hook, not an action: a card that is dragged to "Confirmed" wins its opportunity as well.
    on: ['state'],
    async afterWrite({ env, ids, values }) {
      if (values.state === 'sale') await winLeads(env, ids);
      if (values.state === 'cancel') await takeOffLeads(env, ids);
    },
  },
});

/**
 * A customer who orders is won, and worth what was ordered: the net value of the confirmed orders, in the currency of the company. It
 * follows from the order, so it needs no right on the opportunity: users who may confirm may cause it.
 */
async function winLeads(env: Env, orderIds: readonly number[]): Promise<void> {
  const server = env.sudo();
  const found = await server.model('crm.lead').searchRead(
    [
      ['order_ids', 'in', orderIds],
      ['type', '=', 'opportunity'],
      ['state', 'in', ['open', 'won']],
    ],
    ['state'],
  );
  const open = found.flatMap(({ id, state }) => (state === 'open' ? [id] : []));
  if (open.length > 0) await server.model('crm.lead').write(open, { state: 'won' });
  await followOrders(
    env,
    found.map(({ id }) => id),
  );
}

/** An order that was confirmed and is cancelled brings nothing any more. Quotations never did. */
async function takeOffLeads(env: Env, orderIds: readonly number[]): Promise<void> {
  const orders = await env
    .sudo()
    .model('sale.order')
    .load(orderIds, ['date_confirmed', 'amend_reason', 'lead_id.state']);
  const leads = orders.flatMap(({ date_confirmed: confirmed, amend_reason: reason, lead_id: lead }) =>
    lead?.state === 'won' && (confirmed !== null || reason !== null) ? [lead.id] : [],
  );
  await followOrders(env, [...new Set(leads)]);
}

/** While an order is amended, what was confirmed last still counts. */
async function followOrders(env: Env, leadIds: readonly number[]): Promise<void> {
  const leads = env.sudo().model('crm.lead');
  for (const lead of await leads.load(leadIds, ['order_ids.state', 'order_ids.amend_reason', 'order_ids.turnover'])) {
    const ordered = lead.order_ids.filter(
      ({ state, amend_reason: reason }) => state === 'sale' || (reason !== null && state !== 'cancel'),
    );
    await leads.write([lead.id], { expected_revenue: sum(ordered, (order) => order.turnover) });
  }
}
