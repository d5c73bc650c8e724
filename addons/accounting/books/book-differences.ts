import type { Decimal, Env, Loaded } from '@kontor/addon';
import { openAccounts } from './accounts.ts';
import { type NewEntry, sum, writeEntries, zero } from './write-entries.ts';

const allocationPaths = [
  ...(['date', 'amount', 'payment_amount', 'is_valid', 'booked_amount', 'booked_source'] as const),
  ...(['invoice_id.company_id.id', 'invoice_id.company_id.currency_id.id'] as const),
  'invoice_id.company_id.currency_id.decimal_places',
  ...(['invoice_id.name', 'invoice_id.type', 'invoice_id.partner_id.id', 'invoice_id.currency_id.id'] as const),
  ...(['invoice_id.amount_total', 'invoice_id.entry_ids.amount', 'invoice_id.entry_ids.kind'] as const),
  ...(['payment_id.amount', 'payment_id.currency_id.id', 'payment_id.entry_ids.amount'] as const),
  ...(['payment_id.entry_ids.kind', 'credit_id.amount_total', 'credit_id.currency_id.id'] as const),
  ...(['credit_id.entry_ids.amount', 'credit_id.entry_ids.kind'] as const),
] as const;
type Allocation = Loaded<'invoice.allocation', (typeof allocationPaths)[number]>;

/**
 * Books what a settlement leaves on the receivables because the rates have changed between its two documents. Each settlement keeps
 * what it took of the booked amount of either document; the one that settles the rest takes the rest, to the cent.
 */
export async function bookDifferences(env: Env, ids: readonly number[]): Promise<void> {
  const allocations = env.model('invoice.allocation');
  const loaded = (await allocations.load(ids, [...allocationPaths])).filter((allocation) => !isPlain(allocation));
  if (loaded.length === 0) return;
  const find = await openAccounts(
    env,
    loaded.map(({ invoice_id: invoice }) => invoice.company_id.id),
  );
  const entries: NewEntry[] = [];
  for (const allocation of loaded) {
    const { id, invoice_id: invoice } = allocation;
    const { company_id: company } = invoice;
    const booked_amount = await shareOf(env, allocation, targetOf(allocation));
    const booked_source = await shareOf(env, allocation, sourceOf(allocation));
    await allocations.write([id], { booked_amount, booked_source });
    const difference = booked_amount.minus(booked_source).times(invoice.type === 'invoice' ? 1 : -1);
    if (difference.eq(0)) continue;
    const accounts = { debit: find(company.id, 'exchange'), credit: find(company.id, 'receivable') };
    entries.push({
      ...{ kind: 'difference', name: invoice.name ?? '', date: allocation.date, amount: difference.abs() },
      ...{ invoice_id: invoice.id, payment_id: allocation.payment_id?.id ?? null, allocation_id: id },
      ...{ partner_id: invoice.partner_id.id, company_id: company.id, currency_id: invoice.currency_id.id },
      postings: [{ ...accounts, amount: difference, document: zero }],
    });
  }
  if (entries.length > 0) await writeEntries(env, entries);
}

function ownCurrency({ invoice_id: invoice }: Allocation) {
  return invoice.company_id.currency_id as unknown as { readonly id: number; readonly decimal_places: number };
}

/** Both documents are in the currency of the company, so that there is no rate. */
function isPlain(allocation: Allocation): boolean {
  const own = ownCurrency(allocation).id;
  const source = allocation.payment_id ?? allocation.credit_id;
  return allocation.invoice_id.currency_id.id === own && source?.currency_id.id === own;
}

interface Side {
  readonly id: number;
  readonly model: 'invoice' | 'payment';
  readonly currency: number;
  readonly total: Decimal;
  /** What of it is settled, in its currency. */
  readonly part: Decimal;
  /** Of the whole document, in the currency of the company. */
  readonly booked: Decimal;
}

interface Booked {
  readonly entry_ids: readonly { readonly kind: string; readonly amount: Decimal }[];
}
const bookedOf = ({ entry_ids: entries }: Booked) =>
  sum(entries.filter(({ kind }) => kind === 'invoice' || kind === 'payment').map(({ amount }) => amount));

function targetOf({ invoice_id: invoice, amount }: Allocation): Side {
  const { id, currency_id: currency, amount_total: total } = invoice;
  return { id, model: 'invoice', currency: currency.id, total, part: amount, booked: bookedOf(invoice) };
}

function sourceOf({ payment_id: payment, credit_id: credit, payment_amount, amount }: Allocation): Side {
  if (payment) {
    const { id, currency_id: currency, amount: total } = payment;
    return {
      id,
      model: 'payment',
      currency: currency.id,
      total,
      part: payment_amount ?? zero,
      booked: bookedOf(payment),
    };
  }
  if (!credit) throw new Error('A settlement without a source was stored.');
  const { id, currency_id: currency, amount_total: total } = credit;
  return { id, model: 'invoice', currency: currency.id, total, part: amount, booked: bookedOf(credit) };
}

async function shareOf(env: Env, allocation: Allocation, side: Side): Promise<Decimal> {
  const own = ownCurrency(allocation);
  if (side.currency === own.id) return side.part;
  const others = await settledBefore(env, allocation.id, side);
  if (others.part.plus(side.part).eq(side.total)) return side.booked.minus(others.booked);
  return side.booked.times(side.part).div(side.total).round(own.decimal_places);
}

/** What other settlements have taken of the same document. A credit note settles invoices and is settled by refunds. */
async function settledBefore(env: Env, id: number, side: Side): Promise<{ part: Decimal; booked: Decimal }> {
  const rows = await env
    .model('invoice.allocation')
    .searchRead(
      side.model === 'payment'
        ? [['payment_id', '=', side.id]]
        : ['|', ['invoice_id', '=', side.id], ['credit_id', '=', side.id]],
      ['invoice_id', 'amount', 'payment_amount', 'booked_amount', 'booked_source', 'is_valid'],
    );
  const others = rows.filter((row) => row.id !== id && row.is_valid && row.booked_amount !== null);
  const isTarget = (row: (typeof rows)[number]) => side.model === 'invoice' && row.invoice_id === side.id;
  return {
    part: sum(others.map((row) => (side.model === 'payment' ? (row.payment_amount ?? zero) : row.amount))),
    booked: sum(others.map((row) => (isTarget(row) ? row.booked_amount : row.booked_source) ?? zero)),
  };
}
