import type { Env, PortalSpec } from '@kontor/addon';
import { drawQuotation } from './draw-quotation.ts';

/** Quotations that were sent and have not expired. */
const open = [['state', '=', 'sent'], '|', ['validity_date', '=', null], ['validity_date', '>=', '$today']] as const;

/** What customers see of quotations and orders. Drafts are not theirs yet. */
export const orderPortal: PortalSpec<Env> = {
  label: 'Quotations and orders',
  customer: 'partner_id',
  where: ['|', ['state', 'in', ['sent', 'sale']], '&', ['state', '=', 'cancel'], ['last_sent_id', '!=', null]],
  date: 'date_order',
  kind: 'state',
  status: 'state',
  until: 'validity_date',
  contact: 'user_id',
  shows: ['client_reference', 'delivery_id.name', 'delivery_id.street', 'delivery_id.city', 'payment_days', 'note'],
  sums: ['amount_untaxed', 'amount_tax'],
  total: 'amount_total',
  lines: {
    ...{ field: 'line_ids', title: 'name', kind: 'line_type' },
    ...{ quantity: 'quantity', unit: 'uom_id.name', price: 'price_unit', amount: 'price_subtotal' },
    option: { chosen: 'product', amount: 'option_subtotal', total: 'option_total' },
  },
  allows: ['comment', 'attach'],
  accept: { move: 'confirm', where: open },
  decline: { move: 'cancel', where: open },
  document: drawQuotation,
};
