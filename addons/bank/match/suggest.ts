import { conversionRate } from '@addons/product';
import { Decimal, type Text, text } from '@kontor/addon';
import { amountKey, type Book, type OpenInvoice } from './book.ts';
import { creditorReference, digitsOf, isNamed, nameWords, possibleNumbers } from './words.ts';

/** What is matched of an entry. */
export interface Matched {
  readonly id: number;
  readonly amount: Decimal;
  readonly currencyId: number;
  readonly party: string | null;
  readonly iban: string | null;
  readonly reference: string | null;
  readonly text: string | null;
  readonly sent: { readonly amount: Decimal; readonly currencyId: number } | null;
  readonly isReturn: boolean;
}

/** `certain` may be confirmed without looking, `likely` by Enter. */
export type Level = 'certain' | 'likely' | 'possible';

export interface Suggestion {
  readonly level: Level;
  /** Invoices in the order in which they are settled, and credit notes that are taken off. */
  readonly invoices: readonly OpenInvoice[];
  readonly partnerId: number;
  readonly partnerName: string;
  readonly reasons: readonly Text[];
}

interface Found extends Suggestion {
  readonly score: number;
}

const mostSuggestions = 5;

/**
 * Invoices that each entry may pay, the best first. What a certain suggestion takes is not certain for later entries any more: a customer who
 * paid twice is seen by a person.
 */
export function suggestAll(entries: readonly Matched[], book: Book): ReadonlyMap<number, readonly Suggestion[]> {
  const taken = new Set<number>();
  const all = new Map<number, readonly Suggestion[]>();
  for (const entry of entries) {
    const found = suggest(entry, book).map((each) => {
      if (!each.invoices.some(({ id }) => taken.has(id))) return each;
      const reasons = [...each.reasons, text('Another entry pays this too.')];
      return { ...each, level: 'possible' as const, reasons, score: each.score - 50 };
    });
    found.sort((a, b) => b.score - a.score);
    all.set(entry.id, found.slice(0, mostSuggestions));
    const [best] = found;
    if (best?.level === 'certain') for (const { id } of best.invoices) taken.add(id);
  }
  return all;
}

function suggest(entry: Matched, book: Book): readonly Found[] {
  if (entry.amount.eq(0) || (entry.isReturn && entry.amount.lt(0))) return [];
  const clues = cluesOf(entry, book);
  const found = [...byNumber(entry, clues, book), ...byCustomer(entry, clues, book), ...byAmount(entry, clues, book)];
  found.sort((a, b) => b.score - a.score);
  const seen = new Set<string>();
  return found.filter(({ invoices, partnerId }) => {
    const key = `${partnerId}: ${invoices
      .map(({ id }) => id)
      .sort()
      .join(' ')}`;
    return !seen.has(key) && seen.add(key);
  });
}

interface Clues {
  readonly type: 'invoice' | 'credit';
  readonly amount: Decimal;
  /** Named by their whole number, or by a creditor reference. */
  readonly named: readonly OpenInvoice[];
  /** Named by the digits of their number alone, which may be a date. */
  readonly hinted: readonly OpenInvoice[];
  readonly isReferenced: boolean;
  readonly payers: ReadonlySet<number>;
  readonly namesakes: ReadonlySet<number>;
}

function cluesOf(entry: Matched, book: Book): Clues {
  const type = entry.amount.gt(0) ? 'invoice' : 'credit';
  const referenced = creditorReference(entry.reference);
  const numbers = possibleNumbers([entry.reference, entry.text].filter(Boolean).join(' '));
  const inReference = referenced === null ? [] : (book.byNumber.get(referenced) ?? []);
  const named = unique([...inReference, ...[...numbers].flatMap((number) => book.byNumber.get(number) ?? [])]);
  const digits = [...numbers].filter((number) => digitsOf(number) === number);
  const hinted = unique(digits.flatMap((number) => only(book.byDigits.get(number) ?? [], type)));
  const party = nameWords(entry.party ?? '');
  const namesakes = [...party]
    .flatMap((word) => book.byName.get(word) ?? [])
    .filter(({ words }) => isNamed(words, party));
  return {
    ...{ type, amount: entry.amount.abs(), named },
    hinted: hinted.filter((each) => !named.includes(each)),
    isReferenced: inReference.length > 0,
    payers: new Set((book.payers.get(entry.iban ?? '') ?? []).map(({ id }) => id)),
    namesakes: new Set(namesakes.map(({ id }) => id)),
  };
}

/** Of several invoices with the same digits none is meant. */
function only(invoices: readonly OpenInvoice[], type: string): readonly OpenInvoice[] {
  const own = invoices.filter((each) => each.type === type);
  return own.length === 1 ? own : [];
}

/** Invoices whose numbers are in the text: exactly, less credit notes, in part, or too much. */
function byNumber(entry: Matched, clues: Clues, book: Book): readonly Found[] {
  const named = clues.named.length > 0 ? clues.named : clues.hinted;
  const main = named.filter(({ type }) => type === clues.type);
  const [first] = main;
  if (!first) return [];
  const notes = clues.type === 'invoice' ? named.filter(({ type }) => type === 'credit') : [];
  const says = clues.isReferenced
    ? text('The creditor reference names {numbers}.', { numbers: numbersOf(named) })
    : text('The text names {numbers}.', { numbers: numbersOf(named) });
  const base = { invoices: [...main, ...notes], partnerId: first.partnerId, partnerName: first.partnerName };
  const reasons = [says, ...whoReasons(clues, first)];
  if (named.some(({ currencyId }) => currencyId !== entry.currencyId)) {
    return inOtherCurrency({ entry, clues, book, found: { ...base, reasons, level: 'possible', score: 60 } });
  }
  const due = sumOf(main).minus(sumOf(notes));
  const isOthers = clues.payers.size > 0 && !clues.payers.has(first.partnerId);
  if (due.eq(clues.amount)) {
    const exact = [...reasons, text('The amount is exactly what is due.')];
    return [{ ...base, reasons: exact, level: isOthers ? 'likely' : 'certain', score: isOthers ? 85 : 100 }];
  }
  // The digits alone may be a date: without the amount they say little.
  if (clues.named.length === 0) return [];
  const credits = clues.type === 'invoice' && notes.length === 0 ? ofPartner(book, first, 'credit') : [];
  if (credits.length > 0 && due.minus(sumOf(credits)).eq(clues.amount)) {
    const less = text('The amount is what is due, less {numbers}.', { numbers: numbersOf(credits) });
    return [{ ...base, invoices: [...main, ...credits], reasons: [...reasons, less], level: 'likely', score: 90 }];
  }
  const rest = clues.amount.minus(due);
  if (rest.lt(0)) {
    const part = text('It is less than is due: a part payment.');
    return [{ ...base, reasons: [...reasons, part], level: 'likely', score: 80 }];
  }
  const over = text('It is more than is due. The rest is credit of the customer.');
  const alone: Found = { ...base, reasons: [...reasons, over], level: 'likely', score: 75 };
  const others = ofPartner(book, first, clues.type).filter((each) => !main.includes(each));
  const fitting = fittingSubset(others, rest);
  if (!fitting) return [alone];
  const along = text('With {numbers} it is exactly what is due.', { numbers: numbersOf(fitting) });
  const more: Found = {
    ...base,
    invoices: [...main, ...fitting],
    reasons: [...reasons, along],
    level: 'likely',
    score: 82,
  };
  return [more, alone];
}

interface Foreign {
  readonly entry: Matched;
  readonly clues: Clues;
  readonly book: Book;
  readonly found: Found;
}

/** By how much a rate of the bank may differ from ours. */
export const rateTolerance = new Decimal('0.05');

function inOtherCurrency({ entry, clues, book, found }: Foreign): readonly Found[] {
  const [first] = found.invoices;
  if (!first || found.invoices.some(({ currencyId }) => currencyId !== first.currencyId)) return [];
  const due = sumOf(found.invoices);
  if (entry.sent?.currencyId === first.currencyId && entry.sent.amount.eq(due)) {
    const sent = text('The customer sent exactly what is due, in the currency of the invoice.');
    return [{ ...found, reasons: [...found.reasons, sent], level: 'likely', score: 88 }];
  }
  const rate = rateBetween(book, first.currencyId, entry.currencyId);
  if (!rate) return [{ ...found, reasons: [...found.reasons, text('It is in another currency without a rate.')] }];
  const expected = due.times(rate);
  const isNear = clues.amount.minus(expected).abs().lte(expected.times(rateTolerance));
  const says = isNear
    ? text('The amount is about what is due, at the rates of the currencies.')
    : text('It is in another currency.');
  return [
    { ...found, reasons: [...found.reasons, says], level: isNear ? 'likely' : 'possible', score: isNear ? 78 : 60 },
  ];
}

export function rateBetween(book: Pick<Book, 'currencies'>, from: number, to: number): Decimal | null {
  const [own, other] = [book.currencies.get(from) ?? null, book.currencies.get(to) ?? null];
  return conversionRate({ from: own, company: own, to: other, pricelist: null });
}

const mostCustomers = 5;

/** Invoices of whoever the account or the name says. */
function byCustomer(entry: Matched, clues: Clues, book: Book): readonly Found[] {
  const customers = [...new Set([...clues.payers, ...clues.namesakes])].slice(0, mostCustomers);
  return customers.flatMap((partnerId) => {
    const open = (book.byPartner.get(partnerId) ?? []).filter(
      ({ type, currencyId }) => type === clues.type && currencyId === entry.currencyId,
    );
    const [oldest] = open;
    const isPayer = clues.payers.has(partnerId);
    if (!oldest) return isPayer && clues.type === 'invoice' ? creditOf(entry, partnerId, book) : [];
    const base = { partnerId, partnerName: oldest.partnerName };
    const who = whoReasons(clues, oldest);
    return [...wholeOf(clues, open, base, who, isPayer), ...restOf(clues, open, base, who, isPayer)];
  });
}

type Base = Pick<Found, 'partnerId' | 'partnerName'>;

/** One invoice, or all of them, with exactly the amount. */
function wholeOf(
  clues: Clues,
  open: readonly OpenInvoice[],
  base: Base,
  who: readonly Text[],
  isPayer: boolean,
): readonly Found[] {
  const exact = open.filter(({ due }) => due.eq(clues.amount));
  const [first] = exact;
  const found: Found[] = [];
  if (first) {
    const isOnly = exact.length === 1;
    const isSure = isPayer && isOnly && clues.payers.size === 1 && clues.named.length === 0;
    const says = isOnly
      ? text('The amount is exactly what is due of {number}.', { number: first.name })
      : text('The amount is what is due of several invoices; {number} is the oldest.', { number: first.name });
    const score = isSure ? 95 : isPayer ? 84 : 72;
    found.push({ ...base, invoices: [first], reasons: [...who, says], level: isSure ? 'certain' : 'likely', score });
  }
  if (open.length > 1 && open.length <= mostSettled && sumOf(open).eq(clues.amount)) {
    const all = text('The amount is all that the customer owes.');
    found.push({ ...base, invoices: open, reasons: [...who, all], level: 'likely', score: isPayer ? 83 : 70 });
  }
  return found;
}

/** The invoices of one customer that one entry may settle. */
const mostSettled = 200;

/** Several invoices that come to the amount, or the oldest ones. */
function restOf(
  clues: Clues,
  open: readonly OpenInvoice[],
  base: Base,
  who: readonly Text[],
  isPayer: boolean,
): readonly Found[] {
  const fitting = fittingSubset(open, clues.amount);
  if (fitting && fitting.length > 1) {
    const says = text('{numbers} come to exactly this amount.', { numbers: numbersOf(fitting) });
    return [
      {
        ...base,
        invoices: fitting,
        reasons: [...who, says],
        level: isPayer ? 'likely' : 'possible',
        score: isPayer ? 68 : 50,
      },
    ];
  }
  const oldest: OpenInvoice[] = [];
  let due = new Decimal(0);
  for (const each of open.slice(0, mostSettled)) {
    if (due.gte(clues.amount)) break;
    oldest.push(each);
    due = due.plus(each.due);
  }
  const isMore = due.lt(clues.amount);
  const says = isMore
    ? text('It is more than is due. The rest is credit of the customer.')
    : text('It settles the oldest invoices.');
  return [{ ...base, invoices: oldest, reasons: [...who, says], level: 'possible', score: isPayer ? 40 : 30 }];
}

/** A customer who owes nothing has paid in advance. */
function creditOf(entry: Matched, partnerId: number, book: Book): readonly Found[] {
  const payer = (book.payers.get(entry.iban ?? '') ?? []).find(({ id }) => id === partnerId);
  if (!payer) return [];
  const reasons = [
    text('{customer} pays from this account.', { customer: payer.name }),
    text('Nothing is due in this currency: it would be credit.'),
  ];
  return [{ ...{ partnerId, partnerName: payer.name, invoices: [], reasons }, level: 'possible', score: 25 }];
}

const mostOfAmount = 3;

/** Invoices over the amount, whoever they are for. */
function byAmount(entry: Matched, clues: Clues, book: Book): readonly Found[] {
  const same = book.byAmount.get(amountKey(clues.type, entry.currencyId, clues.amount)) ?? [];
  if (same.length > mostOfAmount) return [];
  return same.map((invoice): Found => {
    const says =
      same.length === 1
        ? text('It is the only open document over this amount.')
        : text('It is over this amount, as are others.');
    const { partnerId, partnerName } = invoice;
    return { partnerId, partnerName, invoices: [invoice], reasons: [says], level: 'possible', score: 45 - same.length };
  });
}

function whoReasons(clues: Clues, { partnerId, partnerName }: OpenInvoice): readonly Text[] {
  if (clues.payers.has(partnerId)) return [text('{customer} pays from this account.', { customer: partnerName })];
  if (clues.namesakes.has(partnerId)) return [text('The payer is called like {customer}.', { customer: partnerName })];
  return clues.payers.size > 0 ? [text('Somebody else has paid from this account before.')] : [];
}

function ofPartner(book: Book, { partnerId, currencyId }: OpenInvoice, type: string): readonly OpenInvoice[] {
  return (book.byPartner.get(partnerId) ?? []).filter((each) => each.type === type && each.currencyId === currencyId);
}

/** Of the oldest so many: at most 4,096 sums. */
const mostTried = 12;

/** The invoices that come to an amount, if there is one way alone. */
export function fittingSubset(invoices: readonly OpenInvoice[], amount: Decimal): readonly OpenInvoice[] | null {
  const tried = invoices.slice(0, mostTried);
  let found: readonly OpenInvoice[] | null = null;
  let ways = 0;
  const visit = (at: number, left: Decimal, chosen: readonly OpenInvoice[]): void => {
    if (left.eq(0) && chosen.length > 0) {
      ways++;
      found = chosen;
      return;
    }
    for (let next = at; next < tried.length && left.gt(0) && ways < 2; next++) {
      const each = tried[next] as OpenInvoice;
      if (each.due.lte(left)) visit(next + 1, left.minus(each.due), [...chosen, each]);
    }
  };
  visit(0, amount, []);
  return ways === 1 ? found : null;
}

function sumOf(invoices: readonly OpenInvoice[]): Decimal {
  return invoices.reduce((sum, { due }) => sum.plus(due), new Decimal(0));
}

function numbersOf(invoices: readonly OpenInvoice[]): string {
  return invoices.map(({ name }) => name).join(', ');
}

function unique<T>(rows: readonly T[]): readonly T[] {
  return [...new Set(rows)];
}
