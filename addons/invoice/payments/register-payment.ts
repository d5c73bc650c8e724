import {
  type ActionCall,
  Decimal,
  dateIn,
  type Env,
  fields,
  type Loaded,
  today,
  UserError,
  ValidationError,
} from '@kontor/addon';

const asks = {
  amount: fields.monetary({ label: 'Amount' }),
  currency_id: fields.many2one('core.currency', { label: 'Currency', readonly: true }),
  date: fields.date({ label: 'Date', required: true, default: today }),
  method: fields.selection(
    { transfer: 'Bank transfer', card: 'Card', cash: 'Cash', other: 'Other' },
    { label: 'Paid by', required: true },
  ),
  reference: fields.char({ label: 'Reference', size: 140 }),
};
type Call = ActionCall<'invoice.invoice', typeof asks>;
const duePaths = ['type', 'state', 'partner_id.id', 'company_id.id', 'currency_id.id', 'amount_residual'] as const;
type Due = Loaded<'invoice.invoice', (typeof duePaths)[number]>;

/** Several invoices are each paid in full. */
export const registerPayment = {
  label: 'Register payment',
  icon: 'banknote',
  asks,
  proposes: async ({ env, records }: Pick<Call, 'env' | 'records'>) => {
    const [invoice, ...others] = await records.load('amount_residual', 'currency_id.id');
    const day = { date: dateIn(env.actor.tz, env.now), method: 'transfer' } as const;
    if (!invoice || others.length > 0) return { value: day };
    return { value: { ...day, amount: invoice.amount_residual, currency_id: invoice.currency_id.id } };
  },
  run: payInvoices,
} as const;

async function payInvoices({ env, records, answers }: Call): Promise<void> {
  const invoices = await records.load(...duePaths);
  if (invoices.length > 1 && answers.amount !== null) {
    throw new ValidationError({ amount: ['Several invoices are each paid in full. Leave the amount empty.'] });
  }
  for (const invoice of invoices) {
    const { amount_residual: due } = invoice;
    if (invoice.state !== 'posted' || due.lte(0)) throw new UserError('Only what is due can be paid.');
    const amount = answers.amount ?? due;
    const payment = await env.model('invoice.payment').create({
      type: invoice.type === 'invoice' ? 'in' : 'out',
      partner_id: invoice.partner_id.id,
      company_id: invoice.company_id.id,
      currency_id: invoice.currency_id.id,
      amount,
      date: answers.date,
      method: answers.method,
      reference: answers.reference,
    });
    const settled = amount.lt(due) ? amount : due;
    await env
      .model('invoice.allocation')
      .create({ invoice_id: invoice.id, payment_id: payment, amount: settled, date: answers.date });
  }
}

/** The oldest open invoices of the customer, in the currency of the payment. */
export async function allocatePayments({ env, records }: ActionCall<'invoice.payment'>): Promise<void> {
  const payments = await records.load('type', 'partner_id.id', 'company_id.id', 'currency_id.id', 'amount_left');
  for (const { id, type, partner_id: customer, company_id: company, currency_id: currency, amount_left } of payments) {
    const kind = type === 'in' ? 'invoice' : 'credit';
    const open = await openOf(env, { kind, customer: customer.id, company: company.id, currency: currency.id });
    let left = amount_left;
    for (const invoice of open) {
      if (left.lte(0)) break;
      const amount = left.lt(invoice.amount_residual) ? left : invoice.amount_residual;
      await env.model('invoice.allocation').create({ invoice_id: invoice.id, payment_id: id, amount });
      left = left.minus(amount);
    }
    if (left.eq(amount_left)) throw new UserError('There is nothing to settle.');
  }
}

interface Account {
  readonly kind: 'invoice' | 'credit';
  readonly customer: number;
  readonly company: number;
  readonly currency: number;
}

async function openOf(env: Env, { kind, customer, company, currency }: Account): Promise<readonly Due[]> {
  const ids = await env.model('invoice.invoice').search(
    [
      ['partner_id', '=', customer],
      ['company_id', '=', company],
      ['currency_id', '=', currency],
      ['type', '=', kind],
      ['state', '=', 'posted'],
      ['amount_residual', '>', 0],
    ],
    { order: 'due_date, id' },
  );
  return env.model('invoice.invoice').load(ids, [...duePaths]);
}

/** Settles invoices with what the customer has left over: payments first, then credit notes, the oldest first. */
export async function applyCredit({ env, records }: ActionCall<'invoice.invoice'>): Promise<void> {
  for (const invoice of await records.load(...duePaths)) {
    const account = {
      customer: invoice.partner_id.id,
      company: invoice.company_id.id,
      currency: invoice.currency_id.id,
    };
    const sources = [
      ...(await leftOver(env, account)),
      ...(await openOf(env, { kind: 'credit', ...account })).map((note) => ({
        credit_id: note.id,
        left: note.amount_residual,
      })),
    ];
    let due = invoice.amount_residual;
    for (const { left, ...source } of invoice.type === 'invoice' ? sources : []) {
      if (due.lte(0)) break;
      const amount = left.lt(due) ? left : due;
      await env.model('invoice.allocation').create({ invoice_id: invoice.id, ...source, amount });
      due = due.minus(amount);
    }
    if (due.eq(invoice.amount_residual)) throw new UserError('The customer has no credit left over.');
  }
}

async function leftOver(env: Env, { customer, company, currency }: Omit<Account, 'kind'>) {
  const rows = await env.model('invoice.payment').searchRead(
    [
      ['partner_id', '=', customer],
      ['company_id', '=', company],
      ['currency_id', '=', currency],
      ['type', '=', 'in'],
      ['amount_left', '>', 0],
    ],
    ['amount_left'],
    { order: 'date, id' },
  );
  return rows.map((row) => ({ payment_id: row.id, left: row.amount_left }));
}

/** A posted credit note settles what is still due of its invoice; the rest is the customer's credit. */
export async function settleCreditNotes({ env, records }: ActionCall<'invoice.invoice'>): Promise<void> {
  const notes = await records.load('type', 'amount_residual', 'reversed_id.amount_residual');
  for (const { id, type, amount_residual: own, reversed_id: invoice } of notes) {
    const due = invoice?.amount_residual ?? new Decimal(0);
    if (type !== 'credit' || !invoice || due.lte(0) || own.lte(0)) continue;
    const amount = own.lt(due) ? own : due;
    await env.model('invoice.allocation').create({ invoice_id: invoice.id, credit_id: id, amount });
  }
}
