import { type ObserverSpec, text, UserError } from '@kontor/addon';

const amounts = ['price_subtotal', 'price_tax', 'price_total'];

/**
 * The amounts of a posted invoice stay as they were posted, also where they are calculated from a tax or a currency: a change of these
 * that would change them is refused.
 */
export const keepAmounts: ObserverSpec = {
  concerns: ({ model, operation, fields }) =>
    operation === 'write' && model === 'invoice.line' && fields.some(({ computed }) => computed === true),
  async run({ env, changes }) {
    // Invoices that this work posts or creates have the amounts that they are posted with.
    const settled = new Set(
      changes.flatMap(({ model, id, operation, values }) =>
        model === 'invoice.invoice' && (operation !== 'write' || 'state' in values) ? [id] : [],
      ),
    );
    const changed = changes.flatMap(({ model, id, operation, values }) =>
      model === 'invoice.line' && operation === 'write' && amounts.some((name) => name in values) ? [id] : [],
    );
    if (changed.length === 0) return;
    // As the server: whoever changes a tax need not see the invoices.
    const lines = env.sudo().model('invoice.line');
    const posted = await lines.searchRead([['id', 'in', changed]], ['state', 'invoice_id']);
    if (posted.every(({ state, invoice_id: invoice }) => state !== 'posted' || settled.has(invoice))) return;
    throw new UserError(
      text('Posted invoices would change. Create another tax or currency, and archive the one that was used.'),
    );
  },
};
