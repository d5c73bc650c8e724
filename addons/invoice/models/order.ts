import '@addons/sale';
import {
  type CallsOf,
  Decimal,
  type Draft,
  dateIn,
  editable,
  type FieldsOf,
  fields,
  inheritModel,
  open,
  sum,
  withPrefix,
} from '@kontor/addon';
import { billable, invoiceOrders, isReached } from '../orders/invoice-orders.ts';

const zero = new Decimal(0);
/** For people who invoice, and for those who sell. */
const audience = ['invoice.group_user', 'sale.group_user'];

const lineFields = {
  qty_delivered: fields.decimal({
    label: 'Delivered',
    required: true,
    default: 0,
    precision: [14, 3],
    copy: false,
    unlocked: true,
    help: 'Can be entered after the order is confirmed.',
  }),
  delivered_on: fields.date({
    copy: false,
    unlocked: true,
    ...editable,
    help: 'The last day on which something was delivered.',
  }),
  invoice_line_ids: fields.one2many('invoice.line', 'order_line_id'),
  qty_invoiced: fields.decimal({ label: 'Invoiced', computed: true, stored: true, precision: [14, 3] }),
  qty_to_invoice: fields.decimal({ label: 'To invoice', computed: true, stored: true, precision: [14, 3] }),
};

const orderFields = {
  invoice_line_ids: fields.one2many('invoice.line', 'order_id'),
  invoice_count: fields.integer({ label: 'Invoices', computed: true, groups: ['invoice.group_user'] }),
  down_payment_left: fields.monetary({
    label: 'Down payments to deduct',
    computed: true,
    stored: true,
    groups: audience,
  }),
  invoice_status: fields.selection(
    { none: 'Nothing to invoice', open: 'To invoice', partly: 'Partly invoiced', done: 'Invoiced' },
    { label: 'Invoicing', computed: true, stored: true, index: true, sets: { due: ['open', 'partly'] } },
  ),
};

interface SaleOrderLineCalls extends CallsOf<typeof invoicedLine> {}
declare module '@kontor/addon' {
  interface Calls {
    'sale.order.line': SaleOrderLineCalls;
  }
}
declare module '@addons/sale' {
  interface SaleOrder extends FieldsOf<typeof orderFields> {}
  interface SaleOrderLine extends FieldsOf<typeof lineFields> {}
  interface SaleOrderCalls extends CallsOf<typeof invoicedOrder> {}
}

const invoicedPaths = [
  'uom_id.factor',
  ...withPrefix('invoice_line_ids', ['quantity', 'uom_id.factor', 'invoice_id.state', 'invoice_id.type']),
] as const;
type InvoicedLine = Draft<'sale.order.line', (typeof invoicedPaths)[number]>;
const downPaymentPaths = ['is_down_payment', 'price_subtotal', 'invoice_id.state', 'invoice_id.type'] as const;
/** What an invoice of an order shares with it. */
const parties = ['partner_id', 'company_id', 'currency_id'] as const;
const known = 'What was invoiced of an order is for everyone who reads the order.';

/** What a line of an invoice counts for its order: drafts as well, so that nothing is invoiced twice. */
function counted(invoice: Draft<'invoice.invoice', 'state' | 'type'> | null, value: Decimal | null): Decimal | null {
  if (invoice === null || invoice.state === 'cancel') return null;
  return invoice.type === 'credit' && value ? value.times(-1) : value;
}

/** In the unit of the order. */
function invoicedOf({ uom_id: own, invoice_line_ids: lines }: InvoicedLine): Decimal {
  return sum(lines, ({ quantity, uom_id: unit, invoice_id: invoice }) => {
    const inUnit = unit && own ? quantity?.times(unit.factor ?? 1).div(own.factor ?? 1) : quantity;
    return counted(invoice, inUnit ?? null);
  }).round(3);
}

const deliverAsks = {
  qty_delivered: fields.decimal({ label: 'Delivered in all', required: true, precision: [14, 3] }),
  delivered_on: fields.date({ required: true }),
};

export const invoicedLine = inheritModel('sale.order.line', {
  fields: lineFields,
  actions: {
    deliver: {
      label: 'Delivered',
      icon: 'check',
      single: 'Choose one line.',
      groups: audience,
      needs: 'read',
      asks: deliverAsks,
      proposes: async ({ env, records }) => ({
        value: {
          qty_delivered: billable(await records.only('quantity', 'qty_delivered')),
          delivered_on: dateIn(env.actor.tz, env.now),
        },
      }),
      // As the server: people who invoice read orders, and what was delivered is all that they enter.
      run: async ({ env, records, answers }) => {
        await env.sudo().model('sale.order.line').write(records.ids, answers);
      },
    },
  },
  computes: {
    delivered_on: {
      depends: ['qty_delivered'],
      value: ({ qty_delivered: delivered }, { today }) => (delivered?.eq(0) === false ? today : null),
    },
    qty_invoiced: { depends: invoicedPaths, value: invoicedOf, asServer: known },
    qty_to_invoice: {
      depends: ['line_type', 'state', 'quantity', 'qty_delivered', 'qty_invoiced'],
      value: ({ line_type: type, state, quantity, qty_delivered, qty_invoiced: invoiced }) => {
        if (type !== 'product' || state !== 'sale' || !quantity) return zero;
        const most = billable({ quantity, qty_delivered: qty_delivered ?? zero });
        return isReached(most, invoiced) ? zero : most.minus(invoiced);
      },
    },
  },
  constraints: {
    invoiced_once: {
      formula: 'qty_invoiced >= min(quantity, qty_delivered, 0) and qty_invoiced <= max(quantity, qty_delivered, 0)',
      message: 'This was invoiced already.',
      field: 'quantity',
    },
    order_holds: {
      on: ['qty_invoiced'],
      formula: "qty_invoiced = 0 or order_id.state != 'cancel'",
      message: 'The order is cancelled.',
      field: 'order_id',
      serialize: ['order_id'],
    },
  },
});

export const invoicedOrder = inheritModel('sale.order', {
  fields: orderFields,
  computes: {
    invoice_count: {
      depends: ['invoice_line_ids.invoice_id'],
      value: ({ invoice_line_ids: lines }) => new Set(lines.map((line) => line.invoice_id?.id)).size,
    },
    down_payment_left: {
      depends: withPrefix('invoice_line_ids', downPaymentPaths),
      asServer: known,
      value: ({ invoice_line_ids: lines }) =>
        sum(lines, ({ is_down_payment: isDown, price_subtotal: amount, invoice_id: invoice }) =>
          isDown ? counted(invoice, amount) : null,
        ),
    },
    invoice_status: {
      depends: ['state', 'line_ids.qty_to_invoice', 'line_ids.qty_invoiced', 'line_ids.line_type', 'down_payment_left'],
      asServer: known,
      value: ({ state, line_ids: all, down_payment_left: down }) => {
        const lines = all.filter(({ line_type: type }) => type === 'product');
        if (state !== 'sale' || lines.length === 0) return 'none';
        if (lines.every((line) => line.qty_to_invoice.eq(0)) && down.lte(0)) return 'done';
        return down.gt(0) || lines.some((line) => !line.qty_invoiced.eq(0)) ? 'partly' : 'open';
      },
    },
  },
  constraints: {
    down_payments_fit: {
      on: ['down_payment_left'],
      formula: 'down_payment_left >= 0 and down_payment_left <= amount_untaxed',
      message: 'The down payments would exceed the order, or be deducted twice.',
    },
    invoiced_to_customer: {
      on: parties,
      reads: ['amend_reason', ...withPrefix('invoice_line_ids', ['state', ...parties])],
      holds: (order) =>
        order.amend_reason === null ||
        order.invoice_line_ids.every(
          (line) => line.state === 'cancel' || parties.every((name) => line[name]?.id === order[name]?.id),
        ),
      message:
        'Part of this order was invoiced to its customer. Create another order for another customer or currency.',
      field: 'partner_id',
    },
    no_invoices_left: {
      on: ['state', 'down_payment_left'],
      reads: ['line_ids.qty_invoiced'],
      holds: ({ state, line_ids: lines, down_payment_left: down }) =>
        state !== 'cancel' || (down.eq(0) && lines.every((line) => line.qty_invoiced.eq(0))),
      message: 'The order was invoiced. Cancel the drafts and credit the posted invoices first.',
      field: 'state',
    },
  },
  actions: {
    /** Drafts an invoice for each order. */
    create_invoices: invoiceOrders,
    view_invoices: {
      groups: ['invoice.group_user'],
      needs: 'read',
      run: async ({ records }) =>
        open('invoice.invoice', {
          action: 'invoice.all_invoices',
          view: 'list',
          domain: [['line_ids.order_id', 'in', records.ids]],
        }),
    },
    /** Notes that all that was ordered is delivered. */
    deliver_all: {
      label: 'Mark as delivered',
      icon: 'check',
      groups: audience,
      needs: 'read',
      // As the server: as for a single line.
      run: async ({ env, records }) => {
        const orders = await records.load('line_ids.quantity', 'line_ids.qty_delivered', 'line_ids.line_type');
        const delivered_on = dateIn(env.actor.tz, env.now);
        for (const line of orders.flatMap((order) => order.line_ids)) {
          // What was delivered before keeps its day.
          if (line.line_type !== 'product' || isReached(line.quantity, line.qty_delivered)) continue;
          await env.sudo().model('sale.order.line').write([line.id], { qty_delivered: line.quantity, delivered_on });
        }
      },
    },
  },
});
