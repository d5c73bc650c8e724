import { ratesOn } from '@addons/base';
import { rateBetween } from '@addons/product';
import { addDays, addMonths, type CreateValues, Decimal, type Env, startOfMonth, text, UserError } from '@kontor/addon';

/** An amount of money in both currencies; a negative one swaps debit and credit. */
export interface Money {
  /** In the currency of the company. */
  readonly amount: Decimal;
  /** In the currency of the document. */
  readonly document: Decimal;
}

export interface NewPosting extends Money {
  readonly debit: number;
  readonly credit: number;
  readonly tax?: Pick<CreateValues<'accounting.posting'>, 'tax_id' | 'tax_kind' | 'tax_base' | 'tax_amount'>;
}

export interface NewEntry
  extends Pick<
    CreateValues<'accounting.entry'>,
    'name' | 'kind' | 'invoice_id' | 'payment_id' | 'allocation_id' | 'reversed_id' | 'amount'
  > {
  readonly date: string;
  readonly partner_id: number;
  readonly company_id: number;
  /** Of the document. */
  readonly currency_id: number;
  readonly postings: readonly NewPosting[];
}

/** The one way into the books. Callers pass the env of the server: whoever posts an invoice needs no rights on entries. */
export async function writeEntries(env: Env, entries: readonly NewEntry[]): Promise<void> {
  const periods = await openPeriods(env, entries);
  await env.model('accounting.entry').createMany(
    entries.map(({ postings, currency_id, ...entry }) => ({
      ...entry,
      period_id: periods.get(periodKey(entry)) as number,
      posting_ids: postings.map((posting) => ['create', { ...postingValues(posting), currency_id }] as const),
    })),
  );
}

function postingValues({ debit, credit, amount, document, tax }: NewPosting) {
  const isSwapped = amount.lt(0) || (amount.eq(0) && document.lt(0));
  return {
    debit_account_id: isSwapped ? credit : debit,
    credit_account_id: isSwapped ? debit : credit,
    amount: amount.abs(),
    document_amount: document.abs(),
    ...tax,
  };
}

interface Dated {
  readonly date: string;
  readonly company_id: number;
}
const periodKey = ({ date, company_id }: Dated) => `${company_id} ${startOfMonth(date)}`;

/** The periods of the dates, which must be open. Those of a year are made when it is first needed. */
async function openPeriods(env: Env, entries: readonly Dated[]): Promise<ReadonlyMap<string, number>> {
  const periods = env.model('accounting.period');
  const years = new Map(entries.map((entry) => [`${entry.company_id} ${entry.date.slice(0, 4)}`, entry]));
  const found = new Map<string, number>();
  for (const { company_id, date } of years.values()) {
    const firstDay = `${date.slice(0, 4)}-01-01`;
    const ofYear = [
      ['company_id', '=', company_id],
      ['date_from', '>=', firstDay],
      ['date_from', '<', addMonths(firstDay, 12)],
    ] as const;
    if ((await periods.count([...ofYear])) === 0) await addYear(env, company_id, firstDay);
    for (const { id, name, date_from, state } of await periods.searchRead(
      [...ofYear],
      ['name', 'date_from', 'state'],
    )) {
      const key = periodKey({ company_id, date: date_from });
      if (state === 'closed' && entries.some((entry) => periodKey(entry) === key)) {
        throw new UserError(
          text('{period} is closed. Choose a later date, or have the period reopened.', { period: name ?? '' }),
        );
      }
      found.set(key, id);
    }
  }
  return found;
}

/** Nothing is booked before a closed period. */
async function addYear(env: Env, company_id: number, firstDay: string): Promise<void> {
  const periods = env.model('accounting.period');
  const later = await periods.count([
    ['company_id', '=', company_id],
    ['state', '=', 'closed'],
    ['date_from', '>', firstDay],
  ]);
  const months = Array.from({ length: 12 }, (_, at) => addMonths(firstDay, at));
  await periods.createMany(
    months.map((date_from) => ({
      date_from,
      date_to: addDays(addMonths(date_from, 1), -1),
      company_id,
      state: later > 0 ? ('closed' as const) : ('open' as const),
    })),
  );
}

export interface DocumentCurrency {
  readonly id: number;
  readonly name: string;
}
export interface CompanyCurrency extends DocumentCurrency {
  readonly decimal_places: number;
}

export type Convert = (document: Decimal) => Money;

/** Converts amounts of a document to the currency of the company, at the rates of its day. */
export async function converter(env: Env, from: DocumentCurrency, to: CompanyCurrency, day: string): Promise<Convert> {
  if (from.id === to.id) return (document) => ({ document, amount: document.round(to.decimal_places) });
  const rates = await ratesOn(env, [from.id, to.id], day);
  const rated = ({ id }: DocumentCurrency) => ({ id, rate: rates.get(id) ?? null });
  const rate = rateBetween(rated(from), rated(to));
  if (rate === null) {
    throw new UserError(text('Enter the rates of {from} and {to} first.', { from: from.name, to: to.name }));
  }
  return (document) => ({ document, amount: document.times(rate).round(to.decimal_places) });
}

export const zero = new Decimal(0);
export const sum = (amounts: readonly Decimal[]) => amounts.reduce((total, each) => total.plus(each), zero);
