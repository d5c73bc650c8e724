import type { Decimal, Env } from '@kontor/addon';
import { digitsOf, nameWords, numberOf } from './words.ts';

/** What is due of an invoice or left of a credit note. */
export interface OpenInvoice {
  readonly id: number;
  readonly name: string;
  readonly type: 'invoice' | 'credit';
  readonly partnerId: number;
  readonly partnerName: string;
  readonly currencyId: number;
  readonly due: Decimal;
  readonly dueDate: string;
  readonly reference: string | null;
}

export interface Rated {
  readonly id: number;
  readonly name: string;
  readonly rate: Decimal | null;
  readonly decimal_places: number;
}

/** What a company is owed, and owes, with the ways to find it. */
export interface Book {
  readonly invoices: ReadonlyMap<number, OpenInvoice>;
  readonly byNumber: ReadonlyMap<string, readonly OpenInvoice[]>;
  readonly byDigits: ReadonlyMap<string, readonly OpenInvoice[]>;
  readonly byPartner: ReadonlyMap<number, readonly OpenInvoice[]>;
  /** By currency and amount. */
  readonly byAmount: ReadonlyMap<string, readonly OpenInvoice[]>;
  /** Contacts by the longest word of their name. */
  readonly byName: ReadonlyMap<string, readonly { readonly id: number; readonly words: ReadonlySet<string> }[]>;
  /** Who pays from an account. */
  readonly payers: ReadonlyMap<string, readonly { readonly id: number; readonly name: string }[]>;
  readonly currencies: ReadonlyMap<number, Rated>;
}

/** The oldest come first; a company with more has another program. */
const mostInvoices = 20_000;

/** With the rights of the caller: one statement for invoices, payers and currencies each. */
export async function openBook(env: Env, companyId: number, ibans: readonly string[]): Promise<Book> {
  const rows = await env.model('invoice.invoice').searchRead(
    [
      ['company_id', '=', companyId],
      ['state', '=', 'posted'],
      ['amount_residual', '>', 0],
    ],
    ['name', 'type', 'partner_id', 'partner_id.name', 'currency_id', 'amount_residual', 'due_date', 'client_reference'],
    { order: 'due_date, id', limit: mostInvoices },
  );
  const invoices = rows.map(
    (row): OpenInvoice => ({
      ...{ id: row.id, name: row.name ?? '', type: row.type, partnerId: row.partner_id },
      ...{ partnerName: row['partner_id.name'] ?? '', currencyId: row.currency_id, due: row.amount_residual },
      ...{ dueDate: row.due_date ?? '', reference: row.client_reference },
    }),
  );
  const payers = await env
    .model('bank.payer')
    .searchRead([['iban', 'in', [...new Set(ibans)]]], ['iban', 'partner_id', 'partner_id.name']);
  const currencies = await env.model('core.currency').searchRead([], ['name', 'rate', 'decimal_places']);
  const names = new Map<number, string>(invoices.map(({ partnerId, partnerName }) => [partnerId, partnerName]));
  return {
    invoices: new Map(invoices.map((each) => [each.id, each])),
    byNumber: grouped(invoices, ({ name, reference }) => [
      numberOf(name),
      ...(reference !== null && numberOf(reference).length >= shortest ? [numberOf(reference)] : []),
    ]),
    byDigits: grouped(invoices, ({ name }) => (digitsOf(name).length >= fewestDigits ? [digitsOf(name)] : [])),
    byPartner: grouped(invoices, ({ partnerId }) => [partnerId]),
    byAmount: grouped(invoices, ({ type, currencyId, due }) => [amountKey(type, currencyId, due)]),
    byName: grouped(
      [...names].map(([id, name]) => ({ id, words: nameWords(name) })),
      ({ words }) => [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, 1),
    ),
    payers: grouped(
      payers.map((row) => ({ id: row.partner_id, name: row['partner_id.name'] ?? '', iban: row.iban })),
      ({ iban }) => [iban],
    ),
    currencies: new Map(currencies.map((each) => [each.id, each as Rated])),
  };
}

/** A reference of the customer that is shorter is in many texts. */
const shortest = 5;
const fewestDigits = 6;

export function amountKey(type: string, currencyId: number, amount: Decimal): string {
  return `${type} ${currencyId} ${amount.toFixed(4)}`;
}

function grouped<T, K>(rows: readonly T[], keysOf: (row: T) => readonly K[]): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    for (const key of new Set(keysOf(row))) {
      const group = groups.get(key);
      if (group) group.push(row);
      else groups.set(key, [row]);
    }
  }
  return groups;
}
