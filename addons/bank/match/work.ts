import { type Env, type Text, wordsIn } from '@kontor/addon';
import type { OpenInvoice } from './book.ts';
import { suggestionsFor } from './confirm.ts';
import { companyOf, loadEntries } from './matched.ts';

export interface Work {
  readonly state: 'open' | 'matched' | 'aside';
  readonly accountId: number | null;
  readonly limit: number;
}

const shownPaths = [
  ...(['date', 'amount', 'currency_id', 'party', 'iban', 'text', 'reference', 'state', 'reason', 'note'] as const),
  ...([
    'is_fee',
    'is_return',
    'sent_amount',
    'sent_currency_id',
    'account_id',
    'partner_id',
    'partner_id.name',
  ] as const),
] as const;

/** What the screen shows: accounts with their counts, and entries, those that are open with the invoices that they may pay. */
export async function readWork(env: Env, { state, accountId, limit }: Work) {
  const entries = env.model('bank.entry');
  const own = accountId === null ? [] : [['account_id', '=', accountId] as const];
  const ids = await entries.search([['state', '=', state], ...own], { order: 'date, id', limit: limit + 1 });
  const shown = ids.slice(0, limit);
  const rows = await entries.read(shown, [...shownPaths]);
  const open = state === 'open' ? await suggestionsFor(env, await loadEntries(env, shown)) : new Map();
  const { say } = wordsIn(env, env.actor.lang, 'bank');
  const counts = await entries.readGroup({ domain: own, groupby: ['state'], fields: [] });
  const accounts = await env
    .model('bank.account')
    .searchRead([], ['name', 'iban', 'balance', 'balance_date', 'currency_id', 'company_id'], { order: 'name, id' });
  const names = await env.model('core.currency').searchRead([], ['name']);
  const codes = new Map(names.map(({ id, name }) => [id, name]));
  const payments = state === 'matched' ? await paymentsOf(env, shown) : new Map<number, readonly string[]>();
  return {
    more: ids.length > limit,
    counts: Object.fromEntries(counts.map((row) => [row.state, row.__count])),
    accounts,
    entries: rows.map((row) => ({
      ...row,
      // As digits: a number of the browser could lose cents.
      amount: row.amount.toFixed(),
      sent_amount: row.sent_amount?.toFixed() ?? null,
      currency: codes.get(row.currency_id) ?? '',
      sent_currency: codes.get(row.sent_currency_id ?? 0) ?? '',
      paid: payments.get(row.id) ?? [],
      suggestions: (open.get(row.id) ?? []).map((each: Shown) => shownSuggestion(each, say, codes)),
    })),
  };
}

interface Shown {
  readonly level: string;
  readonly invoices: readonly OpenInvoice[];
  readonly partnerId: number;
  readonly partnerName: string;
  readonly reasons: readonly Text[];
}

function shownSuggestion(
  { level, invoices, partnerId, partnerName, reasons }: Shown,
  say: (words: Text) => string,
  codes: ReadonlyMap<number, string>,
) {
  return {
    ...{ level, partnerId, partnerName },
    reasons: reasons.map((reason) => say(reason)),
    invoices: invoices.map((each) => shownInvoice(each, codes)),
  };
}

function shownInvoice(invoice: OpenInvoice, codes: ReadonlyMap<number, string>) {
  const { id, name, type, due, dueDate, currencyId, partnerId, partnerName } = invoice;
  const currency = codes.get(currencyId) ?? '';
  return { id, name, type, due: due.toFixed(), dueDate, currency, partnerId, partnerName };
}

/** Which invoices were settled, by entry. */
async function paymentsOf(env: Env, ids: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await env.model('invoice.allocation').searchRead(
    [
      ['payment_id.bank_entry_id', 'in', [...ids]],
      ['is_valid', '=', true],
    ],
    ['payment_id.bank_entry_id', 'invoice_id.name'],
  );
  const found = new Map<number, string[]>();
  for (const row of rows) {
    const entry = row['payment_id.bank_entry_id'] as number;
    found.set(entry, [...(found.get(entry) ?? []), row['invoice_id.name'] ?? '']);
  }
  return found;
}

const mostFound = 12;

/** Open invoices by number, customer or amount, for a person who looks for another than those suggested. */
export async function findInvoices(env: Env, entryId: number, asked: string) {
  const [entry] = await loadEntries(env, [entryId]);
  if (!entry) return [];
  const amount = /^\d{1,12}(?:[.,]\d{1,2})?$/.test(asked) ? asked.replace(',', '.') : null;
  const rows = await env
    .model('invoice.invoice')
    .searchRead(
      [
        ['company_id', '=', companyOf(entry)],
        ['type', '=', entry.amount.gt(0) ? 'invoice' : 'credit'],
        ['payment_state', 'in', 'due'],
        ...(amount === null ? [] : (['|'] as const)),
        '|',
        ['name', 'ilike', asked],
        ['partner_id.name', 'ilike', asked],
        ...(amount === null ? [] : ([['amount_residual', '=', amount]] as const)),
      ],
      ['name', 'type', 'partner_id', 'partner_id.name', 'currency_id.name', 'amount_residual', 'due_date'],
      { order: 'due_date, id', limit: mostFound },
    );
  return rows.map((row) => ({
    ...{ id: row.id, name: row.name ?? '', type: row.type, due: row.amount_residual.toFixed(), dueDate: row.due_date },
    ...{ currency: row['currency_id.name'] ?? '', partnerId: row.partner_id, partnerName: row['partner_id.name'] },
  }));
}
