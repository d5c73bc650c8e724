import { currentCompany, editable, fields } from '@kontor/addon';
import { positionOf, positionPaths } from '../taxes/position-of.ts';

/** What orders and invoices have in common. */
export const documentFields = {
  partner_id: fields.many2one('core.partner', {
    label: 'Customer',
    required: true,
    checkCompany: true,
    tracking: true,
    synonyms: ['Client', 'Buyer', 'Company'],
  }),
  client_reference: fields.char({
    label: "Customer's reference",
    size: 100,
    copy: false,
    synonyms: ['PO number', 'Your reference'],
  }),
  tax_position_id: fields.many2one('sale.tax.position', {
    ...{ checkCompany: true, ondelete: 'restrict', ...editable },
    help: 'Which taxes the customer pays, by their country and tax id.',
  }),
  line_count: fields.integer({ label: 'Lines', computed: true, stored: true }),
  amount_untaxed: fields.monetary({ label: 'Untaxed', computed: true, stored: true }),
  amount_tax: fields.monetary({ label: 'Tax', computed: true, stored: true }),
  amount_total: fields.monetary({ label: 'Total', computed: true, stored: true, tracking: true }),
  company_id: fields.many2one('core.company', { required: true, default: currentCompany }),
};

/** How they are computed. */
export const documentComputes = {
  tax_position_id: {
    depends: positionPaths,
    asServer: 'Which taxes a customer pays is on every document, also for people who do not sell.',
    value: positionOf,
  },
  line_count: { count: 'line_ids' },
  amount_untaxed: { sum: 'line_ids.price_subtotal' },
  amount_total: { formula: 'amount_untaxed + amount_tax' },
} as const;
