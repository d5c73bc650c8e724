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
      depends: ['state', 'amount_total', 'pricelist_id.rate', 'currency_id', 'company_currency_id'],
      value: ({ state, amount_total: total, pricelist_id: list, currency_id: own, company_currency_id: company }) => {
        if (state !== 'sale') return new Decimal(0);
        return own?.id === company?.id ? total : total.div(list?.rate ?? 1);
      },
      asServer: 'The rate of a price list is no secret: it is the quotient of two amounts of the order.',
    },
  },
  hooks: {
    // A hook, not an action: a card that is dragged to "Confirmed" wins its opportunity as well.
    on: ['state'],
    async afterWrite({ env, ids, values }) {
      if (values.state === 'sale') {
        await winLeads(env, ids);
        await valueLeads(env, ids);
      }
    },
  },
});

/**
 * A customer who orders is won. It follows from the order, so it needs no right on the opportunity: users who may confirm may cause
 * it.
 */
async function winLeads(env: Env, orderIds: readonly number[]): Promise<void> {
  const leads = env.sudo().model('crm.lead');
  const open = await leads.search([
    ['order_ids', 'in', orderIds],
    ['type', '=', 'opportunity'],
    ['state', '=', 'open'],
  ]);
  if (open.length > 0) await leads.write(open, { state: 'won' });
}

/** A won opportunity is worth what was ordered: the net value of its confirmed orders, in the currency of the company. */
async function valueLeads(env: Env, orderIds: readonly number[]): Promise<void> {
  const server = env.sudo();
  const leads = await server.model('crm.lead').search([
    ['order_ids', 'in', orderIds],
    ['state', '=', 'won'],
  ]);
  for (const lead of await server.model('crm.lead').load(leads, ['order_ids.state', 'order_ids.turnover'])) {
    const ordered = sum(
      lead.order_ids.filter(({ state }) => state === 'sale'),
      (order) => order.turnover,
    );
    await server.model('crm.lead').write([lead.id], { expected_revenue: ordered });
  }
}
