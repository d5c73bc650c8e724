import '@addons/sale';
import { Decimal, type Env, type FieldsOf, fields, inheritModel } from '@kontor/addon';

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
      depends: ['state', 'amount_total', 'pricelist_id.rate'],
      value: ({ state, amount_total: total, pricelist_id: pricelist }) =>
        state === 'sale' ? total.div(pricelist?.rate ?? 1) : new Decimal(0),
      asServer: 'The rate of a price list is no secret: it is the quotient of two amounts of the order.',
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
