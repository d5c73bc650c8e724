import { under } from '@addons/product';
import { type ActionCall, text, UserError } from '@kontor/addon';
import { orderPaths, productPaths, unitPrice } from '../lines/line-from-product.ts';
import { handOver } from './hand-over.ts';
import { mailQuotations } from './mail-quotations.ts';

type Call = ActionCall<'sale.order'>;

const pricedPaths = [
  ...orderPaths,
  'name',
  'state',
  ...under('line_ids', [...under('product_id', productPaths), 'quantity', 'uom_id.factor']),
] as const;

/** What the buttons do. Where an order may go, by whom and when, is said once, in its state machine. */
export const orderActions = {
  /** Mails each to its customer, where mail is set up; `recipient`, `subject` and `body` take the place of the usual ones. */
  async send({ env, records, params }: Call) {
    const orders = await records.load('state');
    const fresh = orders.filter((order) => order.state !== 'sent').map((order) => order.id);
    await env.model('sale.order').write(fresh, { state: 'sent' });
    const { recipient, subject, body } = params;
    const said = Object.entries({ recipient, subject, body }).filter(([, value]) => value);
    await mailQuotations(env, records.ids, Object.fromEntries(said));
  },

  async confirm({ env, records }: Call) {
    await env.model('sale.order').write(records.ids, { state: 'sale' });
  },

  async cancel({ env, records }: Call) {
    await env.model('sale.order').write(records.ids, { state: 'cancel' });
  },

  async draft({ env, records }: Call) {
    await env.model('sale.order').write(records.ids, { state: 'draft' });
  },

  /** To the colleague `user_id`, with a `note` for the discussion. */
  hand_over: handOver,

  /** Prices the lines again, by the list and the date of the order. */
  async update_prices({ env, records }: Call) {
    // Costs and lists are the server's to read; the prices are written with the caller's rights.
    const orders = await env
      .sudo()
      .model('sale.order')
      .load(records.ids, [...pricedPaths]);
    for (const order of orders) {
      if (order.state === 'sale' || order.state === 'cancel') {
        throw new UserError(
          text('{name} is settled, so its prices stay. Reset it to a quotation first.', { name: order.name }),
        );
      }
      const lines = order.line_ids.flatMap(({ id, product_id: product, quantity, uom_id: unit }) =>
        product === null
          ? []
          : [['update', id, { price_unit: unitPrice({ product, order, quantity, unit }) }] as const],
      );
      if (lines.length > 0) await env.model('sale.order').write([order.id], { line_ids: lines });
    }
  },

  print: {
    needs: 'read' as const,
    async run({ records }: Call) {
      const [id, ...others] = records.ids;
      if (id === undefined || others.length > 0) throw new UserError('Choose one quotation to print.');
      return { redirect: `/web/sale/quotation/${id}.pdf` };
    },
  },
};
