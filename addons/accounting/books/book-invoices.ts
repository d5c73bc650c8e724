import { taxedPaths, taxSums } from '@addons/sale';
import { type Decimal, type Env, type Loaded, withPrefix } from '@kontor/addon';
import { type FindAccount, openAccounts } from './accounts.ts';
import {
  type CompanyCurrency,
  type Convert,
  converter,
  type Money,
  type NewEntry,
  sum,
  writeEntries,
  zero,
} from './write-entries.ts';

const paths = [
  'name',
  'type',
  'state',
  'invoice_date',
  'tax_treatment',
  'tax_rounding',
  'partner_id.id',
  'company_id.id',
  'company_id.currency_id.name',
  'company_id.currency_id.decimal_places',
  'currency_id.name',
  'currency_id.decimal_places',
  'entry_ids.id',
  ...withPrefix('line_ids', taxedPaths),
  'line_ids.line_type',
  'line_ids.price_subtotal',
  'line_ids.tax_ids.name',
] as const;
type Invoice = Loaded<'invoice.invoice', (typeof paths)[number]>;

/** An entry for each posted invoice and credit note that has none. Data files make invoices before their lines, and are booked when all is loaded. */
export async function bookInvoices(env: Env, ids: readonly number[]): Promise<void> {
  const loaded = await env.model('invoice.invoice').load(ids, [...paths]);
  const invoices = loaded.filter(
    ({ state, entry_ids: entries, line_ids: lines }) => state === 'posted' && entries.length === 0 && lines.length > 0,
  );
  if (invoices.length === 0) return;
  const find = await openAccounts(
    env,
    invoices.map(({ company_id: company }) => company.id),
  );
  const entries: NewEntry[] = [];
  for (const invoice of invoices) {
    const { company_id: company, currency_id: currency, invoice_date: day } = invoice;
    const convert = await converter(env, currency, company.currency_id as CompanyCurrency, day);
    entries.push(entryOf(invoice, find, convert));
  }
  await writeEntries(env, entries);
}

/**
 * Receivables to revenue for each set of taxes, and to each tax. The first tax of a set is reported on its revenue, the others on
 * their own postings, so that the net of every rate is the sum of the postings.
 */
function entryOf(invoice: Invoice, find: FindAccount, convert: Convert): NewEntry {
  const { company_id: company, currency_id: currency, type, tax_treatment: treatment } = invoice;
  const receivable = find(company.id, 'receivable');
  const sign = type === 'credit' ? -1 : 1;
  const sets = taxSets(invoice, convert);
  const revenue = sets.map(({ taxes, net }) => {
    const percent = taxes.reduce((most, tax) => (tax.percent.gt(most) ? tax.percent : most), zero);
    const untaxed = percent.eq(0) && treatment !== 'normal' ? treatment : null;
    const kind = untaxed ?? (taxes.length === 0 ? 'none' : 'taxed');
    const account = find(company.id, 'revenue', { percent, treatment: untaxed });
    const tax = { tax_id: taxes[0]?.id ?? null, tax_kind: kind, tax_base: net.amount.times(sign) } as const;
    return { debit: receivable, credit: account, ...signed(net, sign), tax };
  });
  const taxes = taxSums(invoice.line_ids, currency, invoice.tax_rounding ?? 'line').map(({ id, percent, amount }) => {
    const tax = convert(amount);
    const others = sets.filter((set) => set.taxes.slice(1).some((other) => other.id === id));
    const base = sum(others.map(({ net }) => net.amount));
    return {
      ...{ debit: receivable, credit: find(company.id, 'tax', { percent }), ...signed(tax, sign) },
      tax: { tax_id: id, tax_kind: 'taxed', tax_base: base.times(sign), tax_amount: tax.amount.times(sign) } as const,
    };
  });
  const postings = [...revenue, ...taxes].filter(
    ({ amount, document, tax }) => !amount.eq(0) || !document.eq(0) || !tax.tax_base.eq(0),
  );
  return {
    ...{ kind: 'invoice', name: invoice.name ?? '', date: invoice.invoice_date, invoice_id: invoice.id },
    ...{ partner_id: invoice.partner_id.id, company_id: company.id, currency_id: currency.id },
    amount: sum(postings.map(({ amount }) => amount)).times(sign),
    postings,
  };
}

interface TaxSet {
  readonly taxes: readonly { readonly id: number; readonly percent: Decimal }[];
  readonly net: Money;
}

/** What is charged with each set of taxes. */
function taxSets(invoice: Invoice, convert: (document: Decimal) => Money): readonly TaxSet[] {
  const sets = new Map<string, { readonly taxes: TaxSet['taxes']; net: Decimal }>();
  for (const { line_type: kind, tax_ids: taxes, price_subtotal: net } of invoice.line_ids) {
    if (kind !== 'product') continue;
    const key = taxes.map(({ id }) => id).join();
    sets.set(key, { taxes, net: (sets.get(key)?.net ?? zero).plus(net) });
  }
  return [...sets.values()].map(({ taxes, net }) => ({ taxes, net: convert(net) }));
}

function signed({ amount, document }: Money, sign: number): Money {
  return { amount: amount.times(sign), document: document.times(sign) };
}
