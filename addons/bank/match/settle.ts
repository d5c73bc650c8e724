import { ratesOn } from '@addons/base';
import { rateBetween } from '@addons/product';
import { Decimal, type Env, inSavepoint, type Loaded, text, UserError, ValidationError } from '@kontor/addon';
import { companyOf, type LoadedEntry } from './matched.ts';
import { rateTolerance } from './suggest.ts';

const invoicePaths = [
  ...(['name', 'type', 'state', 'amount_residual', 'partner_id.id', 'company_id.id', 'currency_id.id'] as const),
  ...(['currency_id.decimal_places', 'currency_id.name'] as const),
] as const;
type Invoice = Loaded<'invoice.invoice', (typeof invoicePaths)[number]>;

export interface Choice {
  readonly invoiceIds: readonly number[];
  /** Whose credit it is without an invoice. */
  readonly partnerId: number | null;
}

/** What an invoice takes: of it, and of the entry. */
interface Share {
  readonly invoice: Invoice;
  readonly amount: Decimal;
  readonly taken: Decimal;
}

/**
 * Makes the payments of an entry and settles the invoices with them, in their order: a payment for each customer. What is left over is credit of the first.
 * Credit notes among the invoices are taken off first.
 */
export async function settle(env: Env, entry: LoadedEntry, { invoiceIds, partnerId }: Choice): Promise<void> {
  const chosen = await chosenInvoices(env, entry, invoiceIds);
  const isIn = entry.amount.gt(0);
  const main = chosen.filter(({ type }) => type === (isIn ? 'invoice' : 'credit'));
  const notes = chosen.filter((each) => !main.includes(each));
  if (!isIn && notes.length > 0) throw new UserError('Money that went out settles credit notes, not invoices.');
  if (main.length === 0 && notes.length > 0) throw new UserError('Choose an invoice, not credit notes alone.');
  const dues = new Map(main.map(({ id, amount_residual: due }) => [id, due]));
  await takeCredit(env, entry, { main, notes, dues });
  const [shares, left] = await sharesOf(env, entry, main, dues);
  const customers = new Set(shares.map(({ invoice }) => invoice.partner_id.id));
  const [first = main[0]?.partner_id.id ?? partnerId] = customers;
  if (first === null || first === undefined)
    throw new UserError('Choose the invoices, or the customer whose credit it is.');
  for (const customer of customers.size > 0 ? customers : [first]) {
    const own = shares.filter(({ invoice }) => invoice.partner_id.id === customer);
    const sum = own.reduce((total, { taken }) => total.plus(taken), new Decimal(0));
    const amount = customer === first ? sum.plus(left) : sum;
    if (amount.lte(0)) continue;
    const payment = await env.model('invoice.payment').create({
      ...{ type: isIn ? 'in' : 'out', partner_id: customer, company_id: companyOf(entry) },
      ...{ currency_id: entry.currency_id.id, amount, date: entry.date, method: 'transfer' },
      reference: (entry.text ?? entry.reference ?? entry.party)?.slice(0, 140) ?? null,
      bank_entry_id: entry.id,
    });
    await env.model('invoice.allocation').createMany(
      own.map(({ invoice, amount: settled, taken }) => ({
        ...{ invoice_id: invoice.id, payment_id: payment, amount: settled, payment_amount: taken, date: entry.date },
      })),
    );
  }
  // As the server: people do not write entries; the move that calls this was allowed.
  await env.sudo().model('bank.entry').write([entry.id], { partner_id: first });
  if (customers.size <= 1) await learnPayer(env, entry, first);
}

async function chosenInvoices(env: Env, entry: LoadedEntry, ids: readonly number[]): Promise<readonly Invoice[]> {
  const loaded = await env.model('invoice.invoice').load([...new Set(ids)], [...invoicePaths]);
  for (const { name, state, amount_residual: due, company_id: company } of loaded) {
    if (company.id !== companyOf(entry)) throw new UserError('The invoice is of another company.');
    if (state !== 'posted' || due.lte(0)) {
      throw new UserError(text('{number} is paid already.', { number: name ?? '' }));
    }
  }
  return loaded;
}

interface Credit {
  readonly main: readonly Invoice[];
  readonly notes: readonly Invoice[];
  readonly dues: Map<number, Decimal>;
}

async function takeCredit(env: Env, entry: LoadedEntry, { main, notes, dues }: Credit): Promise<void> {
  for (const note of notes) {
    let left = note.amount_residual;
    for (const invoice of main) {
      const due = dues.get(invoice.id) as Decimal;
      const isOwn = invoice.partner_id.id === note.partner_id.id && invoice.currency_id.id === note.currency_id.id;
      if (!isOwn || left.lte(0) || due.lte(0)) continue;
      const amount = left.lt(due) ? left : due;
      const date = entry.date;
      const settled = { invoice_id: invoice.id, credit_id: note.id, amount, date, bank_entry_id: entry.id };
      await env.model('invoice.allocation').create(settled);
      dues.set(invoice.id, due.minus(amount));
      left = left.minus(amount);
    }
  }
}

/** In the order of the invoices, until nothing is left. */
async function sharesOf(
  env: Env,
  entry: LoadedEntry,
  invoices: readonly Invoice[],
  dues: ReadonlyMap<number, Decimal>,
): Promise<readonly [readonly Share[], Decimal]> {
  const [own] = await env.model('core.currency').read([entry.currency_id.id], ['decimal_places']);
  const currencies = [entry.currency_id.id, ...invoices.map(({ currency_id: currency }) => currency.id)];
  const rates = await ratesOn(env, currencies, entry.date);
  const rated = ({ id }: { readonly id: number }) => ({ id, rate: rates.get(id) ?? null });
  const shares: Share[] = [];
  let left = entry.amount.abs();
  for (const [index, invoice] of invoices.entries()) {
    const due = dues.get(invoice.id) as Decimal;
    if (left.lte(0) || due.lte(0)) continue;
    const { currency_id: currency } = invoice;
    const rate = rateBetween(rated(currency), rated(entry.currency_id));
    if (!rate) {
      throw new UserError(
        text('{number} is in {currency}, which has no rate.', { number: invoice.name ?? '', currency: currency.name }),
      );
    }
    const isSame = currency.id === entry.currency_id.id;
    const full = isSame ? due : due.times(rate).round(own?.decimal_places ?? 2);
    const isLast = index === invoices.length - 1;
    const isNear = !isSame && isLast && left.minus(full).abs().lte(full.times(rateTolerance));
    // What a bank converted comes to about the amount: the invoice is paid.
    const taken = isNear || left.lt(full) ? left : full;
    const part = isSame ? taken : taken.div(rate).round(currency.decimal_places);
    const amount = isNear || part.gt(due) || taken.eq(full) ? due : part;
    if (amount.lte(0)) continue;
    shares.push({ invoice, amount, taken });
    left = left.minus(taken);
  }
  return [shares, left];
}

/** The next payment from the account is known to be of this customer. */
async function learnPayer(env: Env, { id, iban, amount }: LoadedEntry, customer: number): Promise<void> {
  if (iban === null || amount.lt(0)) return;
  const own = [
    ['partner_id', '=', customer],
    ['iban', '=', iban],
  ] as const;
  if ((await env.model('bank.payer').count([...own])) > 0) return;
  try {
    await inSavepoint(env, () => env.model('bank.payer').create({ partner_id: customer, iban, entry_id: id }));
  } catch (error) {
    // Somebody else has learned it at the same moment.
    if (!(error instanceof ValidationError)) throw error;
  }
}
