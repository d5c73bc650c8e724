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
  const leads = found.map(({ id }) => id);
  for (const lead of await server.model('crm.lead').load(leads, ['order_ids.state', 'order_ids.turnover'])) {
    const ordered = sum(
      lead.order_ids.filter(({ state }) => state === 'sale'),
      (order) => order.turnover,
    );
    await server.model('crm.lead').write([lead.id], { expected_revenue: ordered });
  }
}
