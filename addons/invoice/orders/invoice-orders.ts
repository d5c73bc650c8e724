import type { Say } from '@addons/sale';
import {
  type ActionCall,
  type CreateValues,
  Decimal,
  type Env,
  fields,
  formatDate,
  groupBy,
  type Loaded,
  open,
  type RecordOf,
  sum,
  text,
  UserError,
  ValidationError,
  wordsIn,
} from '@kontor/addon';
import { copiedPaths, lineOf } from '../lines/credit-invoice.ts';
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
type Method = Call['answers']['method'];

export const invoiceOrders = {
  label: 'Create invoice',
  icon: 'file-text',
  groups: ['invoice.group_user'],
  needs: 'read',
  asks,
  proposes: async () => ({ value: { method: 'ordered' } as const }),
  run: createInvoices,
} as const;

const paths = [
  ...(['name', 'state', 'amount_untaxed', 'client_reference', 'payment_days', 'line_ids.id', 'company_id.id'] as const),
  ...(['partner_id.lang', 'invoice_address_id.id', 'tax_position_id.id', 'currency_id.decimal_places'] as const),
] as const;
type Order = Loaded<'sale.order', (typeof paths)[number]> & {
  readonly lines: Awaited<ReturnType<typeof readLines>>;
  /** In the language of the customer. */
  readonly say: Say;
};

function readLines(env: Env, { line_ids: lines }: Loaded<'sale.order', 'line_ids.id'>) {
  const ids = lines.map(({ id }) => id);
  return env.model('sale.order.line').read(ids, [...copiedPaths, 'qty_delivered', 'delivered_on', 'qty_invoiced']);
}

type Quantities = Pick<RecordOf<'sale.order.line'>, 'quantity' | 'qty_delivered'>;

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
  const { method } = answers;
  const made: number[] = [];
  for (const loaded of await records.load(...paths)) {
    if (loaded.state !== 'sale') throw new UserError(text('Confirm {name} first.', { name: loaded.name }));
    const { say } = wordsIn(env, loaded.partner_id.lang ?? 'en_US', 'invoice');
    const order = { ...loaded, say, lines: await readLines(env, loaded) };
    const lines =
      method === 'percent' || method === 'amount'
        ? downPayment(order, shareOf(order, method, answers.share))
        : await linesLeft(env, order, method);
    if (lines.length === 0) continue;
    made.push(await createInvoice(env, order, lines));
  }
  if (made.length > 0) return openInvoices(made);
  throw new UserError(
    method === 'delivered'
      ? 'Nothing was delivered that is not invoiced yet. Enter what was delivered on the lines of the order first.'
      : 'There is nothing to invoice.',
  );
}

/** Opens drafts that were created: the only one, or a list of them. */
export function openInvoices(ids: readonly number[]) {
  const [only, ...others] = ids;
  return others.length === 0 && only !== undefined
    ? open('invoice.invoice', { view: 'form', id: only })
    : open('invoice.invoice', { action: 'invoice.invoices', view: 'list', domain: [['id', 'in', ids]] });
}

type NewLine = CreateValues<'invoice.line', 'invoice_id'> & { readonly quantity: Decimal };

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
  for (const line of order.lines) {
    const quantity = line.line_type === 'product' ? billed.get(line.id) : undefined;
    if (quantity === undefined) continue;
    if (line.delivered_on === null || !isReached(line.qty_invoiced.plus(quantity), line.qty_delivered)) return {};
    days.push(line.delivered_on);
  }
  const [first, last] = [days.sort()[0], days.at(-1)];
  return { ...(first && { delivery_date: first }), ...(last && last !== first && { delivery_end: last }) };
}

/** Headings and notes come with the first invoice. */
async function linesLeft(env: Env, order: Order, method: Method): Promise<readonly NewLine[]> {
  const isFirst = order.lines.every((line) => line.qty_invoiced.eq(0));
  const lines = order.lines.flatMap((stored): NewLine[] => {
    const { qty_delivered: delivered, qty_invoiced: invoiced, delivered_on: _, ...line } = stored;
    const { line_type } = line;
    // An option that was not chosen was not ordered.
    if (line_type === 'option') return [];
    const own = { ...lineOf(line), line_type, order_id: order.id, order_line_id: line.id };
    if (line_type !== 'product') return isFirst ? [own] : [];
    const most = method === 'ordered' ? billable({ ...line, qty_delivered: delivered }) : delivered;
    const quantity = most.minus(invoiced);
    const isLeft = line.quantity.gt(0) ? quantity.gt(0) : quantity.lt(0);
    return isLeft ? [{ ...own, quantity }] : [];
  });
  const isLast = order.lines.every(({ id, line_type: type, quantity, qty_invoiced: invoiced }) => {
    const own = lines.find((line) => line.order_line_id === id);
    return type !== 'product' || isReached(quantity, invoiced.plus(own?.quantity ?? 0));
  });
  const deducted = isLast || method === 'ordered' ? await deductions(env, order) : [];
  const isLeft = lines.some((line) => line.line_type === 'product') || deducted.length > 0;
  return isLeft ? [...lines, ...deducted] : [];
}

/** One line for each down payment, so that its taxes are deducted to the cent. As the server: all of them count. */
async function deductions(env: Env, order: Order): Promise<readonly NewLine[]> {
  const stored = env.sudo().model('invoice.line');
  const lines = await stored.searchRead(
    [
      ['order_id', '=', order.id],
      ['is_down_payment', '=', true],
      ['state', '!=', 'cancel'],
    ],
    [...copiedPaths, 'deducts_id', 'reversed_line_id', 'state', 'invoice_date', 'invoice_id.name'],
  );
  return lines.flatMap(({ deducts_id, reversed_line_id, state, invoice_date, ...line }): NewLine[] => {
    if (deducts_id || reversed_line_id) return [];
    if (state === 'draft') {
      throw new UserError(text('Post or cancel the draft of the down payment of {name} first.', { name: order.name }));
    }
    const taken = lines.filter((other) => other.deducts_id === line.id || other.reversed_line_id === line.id);
    // A deduction has a negative quantity, a credit note a positive one.
    const left = line.quantity.minus(sum(taken, ({ quantity }) => quantity.abs()));
    if (!left.gt(0)) return [];
    const { 'invoice_id.name': number, ...own } = line;
    const values = { number: number ?? '', date: formatDate(invoice_date, order.partner_id.lang) };
    const name = order.say(text('Less down payment {number} of {date}', values));
    const deducted = { ...lineOf(own), name, quantity: left.times(-1), sequence: 9000 };
    return [{ ...deducted, order_id: order.id, is_down_payment: true, deducts_id: line.id }];
  });
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
function downPayment(order: Order, share: Decimal): readonly NewLine[] {
  const products = order.lines.filter((line) => line.line_type === 'product');
  const groups = groupBy(products, ({ tax_ids: taxes }) => taxes.toSorted((a, b) => a - b).join());
  const name = order.say(text('Down payment for {order}', { order: order.name }));
  const places = order.currency_id?.decimal_places ?? 2;
  return [...groups.values()].flatMap((lines, at): NewLine[] => {
    const amount = sum(lines, ({ quantity, price_unit: price, discount }) =>
      quantity.times(price).times(new Decimal(100).minus(discount)).div(100),
    );
    const price_unit = amount.times(share).round(places);
    if (price_unit.eq(0)) return [];
    const line = { name, quantity: new Decimal(1), price_unit, tax_ids: [['set', lines[0]?.tax_ids ?? []]] as const };
    return [{ ...line, sequence: at * 10, order_id: order.id, is_down_payment: true }];
  });
}
