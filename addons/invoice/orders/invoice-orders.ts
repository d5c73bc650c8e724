import {
  type ActionCall,
  Decimal,
  type Env,
  fields,
  formatDate,
  type Loaded,
  open,
  text,
  UserError,
  ValidationError,
  wordsIn,
} from '@kontor/addon';
import { lineOf } from '../lines/credit-invoice.ts';
import { renewTaxes } from '../lines/renew-taxes.ts';

const asks = {
  method: fields.selection(
    {
      ordered: 'All that is left to invoice',
      delivered: 'What was delivered',
      percent: 'Down payment in per cent',
      amount: 'Down payment of an amount',
    },
    { label: 'Invoice', required: true },
  ),
  share: fields.decimal({ label: 'Per cent or untaxed amount', precision: [14, 4], min: 0 }),
};
type Call = ActionCall<'sale.order', typeof asks>;
type Method = 'ordered' | 'delivered' | 'percent' | 'amount';

export const invoiceOrders = {
  label: 'Create invoice',
  icon: 'file-text',
  groups: ['invoice.group_user'],
  needs: 'read',
  asks,
  proposes: async () => ({ value: { method: 'ordered' } as const }),
  run: createInvoices,
} as const;

const zero = new Decimal(0);
const linePaths = [
  'sequence',
  'line_type',
  'name',
  'quantity',
  'price_unit',
  'discount',
  'product_id.id',
  'uom_id.id',
  'tax_ids.id',
] as const;
const paths = [
  'name',
  'state',
  'invoice_status',
  'amount_untaxed',
  'client_reference',
  'payment_days',
  'partner_id.id',
  'partner_id.lang',
  'invoice_address_id.id',
  'tax_position_id.id',
  'currency_id.id',
  'currency_id.decimal_places',
  'company_id.id',
  ...linePaths.map((path) => `line_ids.${path}` as const),
  'line_ids.qty_delivered',
  'line_ids.delivered_on',
  'line_ids.qty_invoiced',
] as const;
type Order = Loaded<'sale.order', (typeof paths)[number]>;

interface Quantities {
  readonly quantity: Decimal;
  readonly qty_delivered: Decimal;
}

/** What a line comes to in the end: what was ordered, or what was delivered beyond that. A return has negative quantities. */
export function billable({ quantity, qty_delivered: delivered }: Quantities): Decimal {
  return isReached(quantity, delivered) ? delivered : quantity;
}

/** Whether a quantity has come to another one, or beyond it. */
export function isReached(quantity: Decimal, by: Decimal): boolean {
  return quantity.gte(0) ? by.gte(quantity) : by.lte(quantity);
}

/** With several orders, those without anything to invoice are left out. */
async function createInvoices({ env, records, answers }: Call) {
  const orders = await records.load(...paths);
  const method = answers.method as Method;
  const made: number[] = [];
  for (const order of orders) {
    if (order.state !== 'sale') throw new UserError(text('Confirm {name} first.', { name: order.name }));
    const lines =
      method === 'percent' || method === 'amount'
        ? downPayment(env, order, shareOf(order, method, answers.share))
        : await linesLeft(env, order, method);
    if (lines.length === 0) continue;
    made.push(await createInvoice(env, order, lines));
  }
  const [only, ...others] = made;
  if (only === undefined && method === 'delivered') {
    throw new UserError(
      'Nothing was delivered that is not invoiced yet. Enter what was delivered on the lines of the order first.',
    );
  }
  if (only === undefined) throw new UserError('There is nothing to invoice.');
  if (others.length === 0) return open('invoice.invoice', { view: 'form', id: only });
  return open('invoice.invoice', { action: 'invoice.invoices', view: 'list', domain: [['id', 'in', made]] });
}

type NewLine = ReturnType<typeof lineOf> & {
  readonly order_id: number;
  readonly order_line_id?: number;
  readonly is_down_payment?: boolean;
  readonly deducts_id?: number;
};

async function createInvoice(env: Env, order: Order, lines: readonly NewLine[]): Promise<number> {
  const invoices = env.model('invoice.invoice');
  const id = await invoices.create({
    partner_id: order.partner_id.id,
    company_id: order.company_id.id,
    client_reference: order.client_reference,
    ...(order.invoice_address_id && { address_id: order.invoice_address_id.id }),
    ...(order.tax_position_id && { tax_position_id: order.tax_position_id.id }),
    ...(order.currency_id && { currency_id: order.currency_id.id }),
    ...(order.payment_days !== null && { payment_days: order.payment_days }),
    ...deliveryOf(order, lines),
    line_ids: lines.map((line) => ['create', line] as const),
  });
  await renewTaxes(env, id);
  const [made] = await invoices.read([id], ['amount_total']);
  if (made?.amount_total.lt(0)) {
    throw new UserError(
      text('The down payments of {name} exceed what is left to invoice. Credit one of them.', { name: order.name }),
    );
  }
  return id;
}

/** The days on which all of it was delivered; none as long as something was not. */
function deliveryOf(order: Order, lines: readonly NewLine[]) {
  const billed = new Map(lines.map((line) => [line.order_line_id, line.quantity]));
  const days: string[] = [];
  for (const line of order.line_ids) {
    const quantity = line.line_type === 'product' ? billed.get(line.id) : undefined;
    if (quantity === undefined) continue;
    if (line.delivered_on === null || !isReached(line.qty_invoiced.plus(quantity), line.qty_delivered)) return {};
    days.push(line.delivered_on);
  }
  const [first, last] = [days.sort()[0], days.at(-1)];
  return { ...(first && { delivery_date: first }), ...(last && last !== first && { delivery_end: last }) };
}

/** Headings and notes come with the first invoice. */
async function linesLeft(env: Env, order: Order, method: 'ordered' | 'delivered'): Promise<readonly NewLine[]> {
  const isFirst = order.line_ids.every((line) => line.qty_invoiced.eq(0));
  const lines = order.line_ids.flatMap(
    ({ qty_delivered: delivered, qty_invoiced: invoiced, delivered_on: _, ...own }): NewLine[] => {
      const { line_type } = own;
      // An option that was not chosen was not ordered.
      if (line_type === 'option') return [];
      const line = { ...own, line_type };
      const link = { order_id: order.id, order_line_id: line.id };
      if (line.line_type !== 'product') return isFirst ? [{ ...lineOf(line), ...link }] : [];
      const most = method === 'ordered' ? billable({ ...line, qty_delivered: delivered }) : delivered;
      const quantity = most.minus(invoiced);
      const isLeft = line.quantity.gt(0) ? quantity.gt(0) : quantity.lt(0);
      return isLeft ? [{ ...lineOf({ ...line, quantity }), ...link }] : [];
    },
  );
  const isLast = order.line_ids.every(({ id, line_type: type, quantity, qty_invoiced: invoiced }) => {
    const own = lines.find((line) => line.order_line_id === id);
    return type !== 'product' || isReached(quantity, invoiced.plus(own?.quantity ?? zero));
  });
  const deducted = isLast || method === 'ordered' ? await deductions(env, order) : [];
  const isLeft = lines.some((line) => line.line_type === 'product') || deducted.length > 0;
  return isLeft ? [...lines, ...deducted] : [];
}

/** One line for each down payment, so that its taxes are deducted to the cent. As the server: all of them count. */
async function deductions(env: Env, order: Order): Promise<readonly NewLine[]> {
  const server = env.sudo().model('invoice.line');
  const ids = await server.search([
    ['order_id', '=', order.id],
    ['is_down_payment', '=', true],
    ['state', '!=', 'cancel'],
  ]);
  const lines = await server.load(ids, [
    ...linePaths,
    'deducts_id.id',
    'reversed_line_id.id',
    'invoice_id.name',
    'invoice_id.state',
    'invoice_id.invoice_date',
  ]);
  const { say } = wordsIn(env, order.partner_id.lang ?? 'en_US', 'invoice');
  return lines.flatMap(
    ({ invoice_id: invoice, deducts_id: deducts, reversed_line_id: reversed, ...line }): NewLine[] => {
      if (deducts || reversed) return [];
      if (invoice.state === 'draft') {
        throw new UserError(
          text('Post or cancel the draft of the down payment of {name} first.', { name: order.name }),
        );
      }
      const taken = lines.filter((other) => other.deducts_id?.id === line.id || other.reversed_line_id?.id === line.id);
      // A deduction has a negative quantity, a credit note a positive one.
      const left = taken.reduce(
        (sum, other) => sum.minus(other.quantity.gt(0) ? other.quantity : other.quantity.times(-1)),
        line.quantity,
      );
      if (!left.gt(0)) return [];
      const name = say(
        text('Less down payment {number} of {date}', {
          number: invoice.name ?? '',
          date: formatDate(invoice.invoice_date, order.partner_id.lang),
        }),
      );
      const deducted = { ...lineOf(line), name, quantity: left.times(-1), sequence: 9000 };
      return [{ ...deducted, order_id: order.id, is_down_payment: true, deducts_id: line.id }];
    },
  );
}

/** The share of the order that is asked for now. */
function shareOf(order: Order, method: 'percent' | 'amount', given: Decimal | null): Decimal {
  if (!given?.gt(0)) throw new ValidationError({ share: ['Enter a number greater than 0.'] });
  if (method === 'percent') {
    if (given.gt(100)) throw new ValidationError({ share: ['Enter at most 100 per cent.'] });
    return given.div(100);
  }
  if (given.gt(order.amount_untaxed)) throw new ValidationError({ share: ['This is more than the order.'] });
  return given.div(order.amount_untaxed);
}

/** A line for each set of taxes, so that each rate is charged on its part. */
function downPayment(env: Env, order: Order, share: Decimal): readonly NewLine[] {
  const groups = new Map<string, { readonly taxes: readonly { readonly id: number }[]; amount: Decimal }>();
  for (const { line_type: type, quantity, price_unit: price, discount, tax_ids: taxes } of order.line_ids) {
    if (type !== 'product') continue;
    const key = taxes
      .map(({ id }) => id)
      .sort((a, b) => a - b)
      .join();
    const group = groups.get(key) ?? { taxes, amount: zero };
    group.amount = group.amount.plus(quantity.times(price).times(new Decimal(100).minus(discount)).div(100));
    groups.set(key, group);
  }
  const { say } = wordsIn(env, order.partner_id.lang ?? 'en_US', 'invoice');
  const name = say(text('Down payment for {order}', { order: order.name }));
  const places = order.currency_id?.decimal_places ?? 2;
  return [...groups.values()].flatMap(({ taxes, amount }, at): NewLine[] => {
    const price_unit = amount.times(share).round(places);
    if (price_unit.eq(0)) return [];
    const line = {
      id: 0,
      sequence: at * 10,
      line_type: 'product',
      name,
      quantity: new Decimal(1),
      price_unit,
    } as const;
    const plain = { ...line, discount: zero, product_id: null, uom_id: null, tax_ids: taxes };
    return [{ ...lineOf(plain), order_id: order.id, is_down_payment: true }];
  });
}
