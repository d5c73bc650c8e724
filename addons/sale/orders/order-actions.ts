import { under } from '@addons/product';
import { type ActionCall, fields, openPath, text, UserError } from '@kontor/addon';
import { orderPaths, productPaths, unitPrice } from '../lines/line-from-product.ts';
import { handOver, handOverAsks } from './hand-over.ts';
import { mailQuotations } from './mail-quotations.ts';

type Call = ActionCall<'sale.order'>;

const pricedPaths = [
  ...orderPaths,
  'name',
  'state',
  ...under('line_ids', [...under('product_id', productPaths), 'quantity', 'uom_id.factor']),
] as const;

const letterAsks = {
  recipient: fields.char({ label: 'To', size: 320 }),
  subject: fields.char({ size: 200 }),
  body: fields.text({ label: 'Message' }),
};

/** What the buttons do besides moving an order. */
export const orderActions = {
  /** Mails each to its customer, where mail is set up; `recipient`, `subject` and `body` take the place of the usual ones. */
  send: {
    asks: letterAsks,
    async run({ env, records, answers }: ActionCall<'sale.order', typeof letterAsks>) {
      const orders = await records.load('state');
      const fresh = orders.filter((order) => order.state !== 'sent').map((order) => order.id);
      await env.model('sale.order').write(fresh, { state: 'sent' });
      const said = Object.entries(answers).filter(([, value]) => value);
      await mailQuotations(env, records.ids, Object.fromEntries(said));
    },
  },

  /** To the colleague `user_id`, with a `note` for the discussion. */
  hand_over: { asks: handOverAsks, run: handOver },

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
      return openPath(`/web/sale/quotation/${id}.pdf`);
    },
  },
};
