import {
  type ActionCall,
  type Decimal,
  dateIn,
  type Env,
  fields,
  type RecordOf,
  today,
  UserError,
  ValidationError,
} from '@kontor/addon';

export const paymentMethods = {
  transfer: 'Bank transfer',
  card: 'Card',
  cash: 'Cash',
  other: 'Other',
} as const;

const asks = {
  amount: fields.monetary(),
  currency_id: fields.many2one('core.currency', { readonly: true }),
  date: fields.date({ required: true, default: today }),
  method: fields.selection(paymentMethods, { label: 'Paid by', required: true }),
  reference: fields.char({ size: 140 }),
};
type Call = ActionCall<'invoice.invoice', typeof asks>;

/** Whose money it is, and in which currency. */
const account = ['partner_id', 'company_id', 'currency_id'] as const;
const dueFields = [...account, 'type', 'state', 'amount_residual'] as const;
type Account = Readonly<Record<(typeof account)[number], number>>;
type Due = Pick<RecordOf<'invoice.invoice'>, 'id' | 'amount_residual'>;

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
  const { amount: given, date, method, reference } = answers;
  const invoices = await env.model('invoice.invoice').read(records.ids, dueFields);
  if (invoices.length > 1 && given !== null) {
    throw new ValidationError({ amount: ['Several invoices are each paid in full. Leave the amount empty.'] });
  }
  for (const { id, type, state, amount_residual: due, partner_id, company_id, currency_id } of invoices) {
    if (state !== 'posted' || due.lte(0)) throw new UserError('Only what is due can be paid.');
    const amount = given ?? due;
    const payment_id = await env.model('invoice.payment').create({
      ...{ type: type === 'invoice' ? 'in' : 'out', partner_id, company_id, currency_id },
      ...{ amount, date, method, reference },
    });
    const settled = { invoice_id: id, payment_id, amount: amount.lt(due) ? amount : due, date };
    await env.model('invoice.allocation').create(settled);
  }
}

/** The oldest open invoices of the customer, in the currency of the payment. */
export async function allocatePayments({ env, records }: ActionCall<'invoice.payment'>): Promise<void> {
  const payments = await env.model('invoice.payment').read(records.ids, [...account, 'type', 'amount_left']);
  for (const payment of payments) {
    const open = await openOf(env, payment, payment.type === 'in' ? 'invoice' : 'credit');
    const source = { payment_id: payment.id, left: payment.amount_left };
    if (!(await settle(env, open, [source]))) throw new UserError('There is nothing to settle.');
  }
}

/** Settles invoices with what the customer has left over: payments first, then credit notes, the oldest first. */
export async function applyCredit({ env, records }: ActionCall<'invoice.invoice'>): Promise<void> {
  for (const invoice of await env.model('invoice.invoice').read(records.ids, dueFields)) {
    const free = [...ofAccount(invoice), ['type', '=', 'in'], ['amount_left', '>', 0]] as const;
    const payments = await env.model('invoice.payment').searchRead(free, ['amount_left'], { order: 'date, id' });
    const sources = [
      ...payments.map(({ id, amount_left: left }) => ({ payment_id: id, left })),
      ...(await openOf(env, invoice, 'credit')).map(({ id, amount_residual: left }) => ({ credit_id: id, left })),
    ];
    const isSettled = invoice.type === 'invoice' && (await settle(env, [invoice], sources));
    if (!isSettled) throw new UserError('The customer has no credit left over.');
  }
}

/** A posted credit note settles what is still due of its invoice; the rest is the customer's credit. */
export async function settleCreditNotes({ env, records }: ActionCall<'invoice.invoice'>): Promise<void> {
  const notes = await records.load('type', 'amount_residual', 'reversed_id.amount_residual');
  for (const { id, type, amount_residual: left, reversed_id: invoice } of notes) {
    if (type === 'credit' && invoice) await settle(env, [invoice], [{ credit_id: id, left }]);
  }
}

function ofAccount({ partner_id: customer, company_id: company, currency_id: currency }: Account) {
  return [
    ['partner_id', '=', customer],
    ['company_id', '=', company],
    ['currency_id', '=', currency],
  ] as const;
}

/** The oldest first. */
function openOf(env: Env, account: Account, type: RecordOf<'invoice.invoice'>['type']) {
  const due = [
    ['type', '=', type],
    ['state', '=', 'posted'],
    ['amount_residual', '>', 0],
  ] as const;
  const open = [...ofAccount(account), ...due] as const;
  return env.model('invoice.invoice').searchRead(open, ['amount_residual'], { order: 'due_date, id' });
}

type Source = { readonly left: Decimal } & ({ readonly payment_id: number } | { readonly credit_id: number });

/** Settles what is due with what is left over, each in its order. Whether there was anything to settle. */
async function settle(env: Env, invoices: readonly Due[], sources: readonly Source[]): Promise<boolean> {
  const dues = new Map(invoices.map(({ id, amount_residual: due }) => [id, due]));
  const settled = [];
  for (const { left: most, ...source } of sources) {
    let left = most;
    for (const [invoice_id, due] of dues) {
      const amount = left.lt(due) ? left : due;
      if (amount.lte(0)) continue;
      settled.push({ invoice_id, ...source, amount });
      dues.set(invoice_id, due.minus(amount));
      left = left.minus(amount);
    }
  }
  await env.model('invoice.allocation').createMany(settled);
  return settled.length > 0;
}
