import { type Env, findRecord } from '@kontor/orm';
import { addMonths, dateIn } from '@kontor/protocol';

export type Change = (env: Env) => Promise<unknown>;
export interface Meeting {
  readonly first: Change;
  readonly second: Change;
  /** What the second is refused with; null when it may be. */
  readonly refused: string | null;
  /** What must be so in the end. */
  readonly holds?: (env: Env) => Promise<unknown>;
}
export type Rule = (env: Env) => Promise<readonly Meeting[]>;

export const one = async (env: Env, model: string, id: number, name: string) =>
  (await env.model(model).read([id], [name]))[0]?.[name];

/** The day a number of months ago. */
const monthsAgo = (env: Env, count: number) => addMonths(dateIn(env.actor.tz, env.now), -count);

const invoiceLine = { name: 'Desk', price_unit: '10', quantity: 1, tax_ids: [] };
async function invoice(env: Env, values: object = {}): Promise<number> {
  const partner_id = await env.model('core.partner').create({ name: 'Fjordkontoret AS' });
  return env.model('invoice.invoice').create({ partner_id, line_ids: [['create', invoiceLine]], ...values });
}
const post =
  (id: number): Change =>
  (on) =>
    on.model('invoice.invoice').call([id], 'post');

export const invoiceWithLines: Rule = async (env) => {
  const [late, early, turned] = [await invoice(env), await invoice(env), await invoice(env)];
  const lines = async (id: number) => (await one(env, 'invoice.invoice', id, 'line_ids')) as number[];
  const empty = async (id: number): Promise<Change> => {
    const ids = await lines(id);
    return (on) => on.model('invoice.line').unlink(ids);
  };
  const [line] = await lines(turned);
  const negate: Change = (on) => on.model('invoice.line').write([line as number], { quantity: -1 });
  return [
    { first: post(late), second: await empty(late), refused: 'cannot be changed' },
    { first: await empty(early), second: post(early), refused: 'Add a line' },
    { first: negate, second: post(turned), refused: 'Create a credit note instead' },
  ];
};

export const creditWithinInvoice: Rule = async (env) => {
  const made = await invoice(env);
  await post(made)(env);
  const partner_id = await one(env, 'invoice.invoice', made, 'partner_id');
  const note = () => invoice(env, { type: 'credit', reversed_id: made, partner_id });
  const [first, second] = [await note(), await note()];
  return [{ first: post(first), second: post(second), refused: 'would exceed the invoice' }];
};

/** A posted invoice stays one, so that a credit note cannot lose what it corrects; until then it has none. */
export const creditOfPosted: Rule = async (env) => {
  const made = await invoice(env);
  const partner_id = await one(env, 'invoice.invoice', made, 'partner_id');
  const credit: Change = (on) => invoice(on, { type: 'credit', reversed_id: made, partner_id });
  return [{ first: post(made), second: credit, refused: 'cannot be chosen here' }];
};

export const unitOfTheInvoicedProduct: Rule = async (env) => {
  const [piece, hour] = [await findRecord(env, 'product.uom_unit'), await findRecord(env, 'product.uom_hour')];
  const made = await invoice(env);
  const product = await env.model('product.product').create({ name: 'Desk', uom_id: piece });
  const bill: Change = (on) =>
    on.model('invoice.line').create({ invoice_id: made, product_id: product, uom_id: piece });
  return [
    { first: (on) => on.model('product.product').write([product], { uom_id: hour }), second: bill, refused: null },
  ];
};

export const invoicedOrder: Rule = async (env) => {
  const partner_id = await env.model('core.partner').create({ name: 'Fjordkontoret AS' });
  const order = async () => {
    const id = await env.model('sale.order').create({ partner_id, line_ids: [['create', invoiceLine]] });
    await env.model('sale.order').call([id], 'confirm');
    const bill =
      (answers: Record<string, unknown>): Change =>
      (on) =>
        on.model('sale.order').call([id], 'create_invoices', answers);
    const cancel: Change = (on) => on.model('sale.order').call([id], 'cancel');
    return { cancel, all: bill({ method: 'ordered' }), most: bill({ method: 'percent', share: 60 }) };
  };
  const [late, early, down, paid] = [await order(), await order(), await order(), await order()];
  return [
    { first: late.cancel, second: late.all, refused: 'The order is cancelled.' },
    { first: early.all, second: early.cancel, refused: 'The order was invoiced.' },
    { first: down.most, second: down.most, refused: 'would exceed the order' },
    { first: paid.cancel, second: paid.most, refused: 'The order was invoiced.' },
  ];
};

/** Two who pay the same invoice, spend the same payment, or undo what is spent. */
export const settledOnce: Rule = async (env) => {
  const open = async () => {
    const id = await invoice(env);
    await post(id)(env);
    return id;
  };
  const paid = (partner_id: unknown, amount: number) => env.model('invoice.payment').create({ partner_id, amount });
  const [one_, two, three] = [await open(), await open(), await open()];
  const partner_id = await one(env, 'invoice.invoice', one_, 'partner_id');
  const [a, b, spent, undone] = [
    await paid(partner_id, 10),
    await paid(partner_id, 10),
    await paid(partner_id, 10),
    await paid(partner_id, 10),
  ];
  const settle =
    (invoice_id: number, payment_id: number): Change =>
    (on) =>
      on.model('invoice.allocation').create({ invoice_id, payment_id, amount: 10 });
  const undo: Change = (on) => on.model('invoice.payment').call([undone], 'undo');
  return [
    { first: settle(one_, a), second: settle(one_, b), refused: 'more than is due' },
    { first: settle(two, spent), second: settle(three, spent), refused: 'more than is left over' },
    { first: undo, second: settle(three, undone), refused: 'settle posted invoices' },
  ];
};

export const closedPeriod: Rule = async (env) => {
  const bill = async (on: Env) => post(await invoice(on, { invoice_date: monthsAgo(env, 1) }))(on);
  await bill(env);
  const ended = await env.model('accounting.period').search([['date_to', '<', monthsAgo(env, 0)]]);
  return [
    { first: (on) => on.model('accounting.period').call(ended, 'close'), second: bill, refused: 'period is closed' },
  ];
};

/** Who posts while a tax is being ended comes first: an end in the past changes nothing that is posted. */
export const validTaxes: Rule = async (env) => {
  const tax = await env.model('sale.tax').create({ name: 'VAT 19 %', percent: 19 });
  const made = await invoice(env, { line_ids: [['create', { ...invoiceLine, tax_ids: [['link', tax]] }]] });
  const end: Change = (on) => on.model('sale.tax').write([tax], { date_end: monthsAgo(env, 1) });
  return [{ first: end, second: post(made), refused: null }];
};

export const planThatGoesOn: Rule = async (env) => {
  const template_id = await invoice(env);
  const values = { name: 'Maintenance', template_id, date_start: monthsAgo(env, 1) };
  const plan = await env.model('recurring.plan').create(values);
  const back: Change = (on) => on.model('recurring.plan').write([plan], { date_start: monthsAgo(env, 9) });
  return [
    {
      first: (on) => on.model('recurring.plan').call([plan], 'make'),
      second: back,
      refused: 'Invoices were made for later days already',
    },
  ];
};

export const invoicedTime: Rule = async (env) => {
  const partner_id = await env.model('core.partner').create({ name: 'Customer' });
  const meetings: Meeting[] = [];
  for (const isInvoicedFirst of [true, false]) {
    const project_id = await env.model('project.project').create({ name: 'Fit-out', partner_id, billing: 'time' });
    await env.model('project.rate').create({ project_id, hourly: '80' });
    const entry = await env.model('project.time').create({ project_id, hours: 1 });
    const answers = { until: '2099-12-31', group_by: 'task' };
    const bill: Change = (on) => on.model('project.project').call([project_id], 'invoice_time', answers);
    const change: Change = (on) => on.model('project.time').write([entry], { hours: 2 });
    const [first, second] = isInvoicedFirst ? [bill, change] : [change, bill];
    meetings.push({ first, second, refused: 'This time is on an invoice' });
  }
  return meetings;
};

/** A tax that is put on a line of an invoice without tax is seen by whoever posts it. */
export const noTaxWhereNoneIsCharged: Rule = async (env) => {
  const tax = await env.model('sale.tax').create({ name: 'VAT 7 %', percent: 7 });
  const draft = () => invoice(env, { tax_treatment: 'exempt' });
  const charge = async (id: number): Promise<Change> => {
    const [line] = (await one(env, 'invoice.invoice', id, 'line_ids')) as number[];
    return (on) => on.model('invoice.line').write([line as number], { tax_ids: [['set', [tax]]] });
  };
  const [early, late] = [await draft(), await draft()];
  return [
    { first: await charge(early), second: post(early), refused: 'no tax is charged' },
    { first: post(late), second: await charge(late), refused: 'cannot be changed' },
  ];
};

/** Whoever gives an amended order another customer sees what is invoiced meanwhile. */
export const customerOfTheInvoice: Rule = async (env) => {
  const [partner_id, other] = [
    await env.model('core.partner').create({ name: 'Fjordkontoret AS' }),
    await env.model('core.partner').create({ name: 'Hotell Havn' }),
  ];
  const order = async () => {
    const id = await env.model('sale.order').create({ partner_id, line_ids: [['create', invoiceLine]] });
    await env.model('sale.order').call([id], 'confirm');
    const amend: Change = async (on) => {
      await on.model('sale.order').call([id], 'amend', { amend_reason: 'Another customer' });
      await on.model('sale.order').write([id], { partner_id: other });
    };
    const bill: Change = (on) => on.model('sale.order').call([id], 'create_invoices', { method: 'ordered' });
    return { amend, bill };
  };
  const [early, late] = [await order(), await order()];
  return [
    { first: early.bill, second: early.amend, refused: 'Create another order for another customer' },
    { first: late.amend, second: late.bill, refused: 'of another customer' },
  ];
};
