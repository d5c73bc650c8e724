import type { ColumnGuess } from '@kontor/protocol';
import { openTable } from './open-table.ts';

/** A column of a file, with its different values. */
export interface ColumnValues {
  readonly header: string;
  /** Those of the first rows, without empty ones. */
  readonly values: readonly string[];
  readonly different: ReadonlySet<string>;
}

/** Rows that are looked at. */
const looked = 5_000;
/** Letters of a short text. */
const shortText = 200;
const mostChoices = 12;
/** As many can be chosen, although they are not guessed. */
const possibleChoices = 50;
const choiceLength = 40;

export function columnsIn(csv: string, headers: readonly string[]): readonly ColumnValues[] {
  const columns = headers.map((header) => ({ header, values: [] as string[], different: new Set<string>() }));
  let row = 0;
  for (const { cells } of openTable(csv).rows()) {
    if (++row > looked) break;
    for (const [at, column] of columns.entries()) {
      const value = (cells[at] ?? '').trim();
      if (value === '') continue;
      column.values.push(value);
      column.different.add(value);
    }
  }
  return columns;
}

interface Pattern {
  readonly guess: Pick<ColumnGuess, 'type' | 'format'>;
  /** All of its values look like this. */
  readonly fits: (value: string) => boolean;
  /** How sure it is for values alone, and with a header that says so. */
  readonly sure: ColumnGuess['sure'];
  readonly header?: RegExp;
  /** It needs such a header. */
  readonly isNamed?: boolean;
}

const money =
  /price|cost|amount|total|rate|fee|salary|budget|preis|kosten|betrag|summe|gebühr|prix|montant|coût|tarif|سعر|مبلغ|تكلفة/i;
const phone = /phone|mobile|tel\b|telefon|handy|fax|téléphone|portable|هاتف|جوال/i;
const number = /^[+-]?(?:\d+|\d{1,3}(?:[., '\u00a0\u202f]\d{3})+)(?:[.,]\d+)?$/;
const yes = new Set(['yes', 'no', 'true', 'false', 'y', 'n', 'ja', 'nein', 'oui', 'non', 'نعم', 'لا']);

/** From the most special to the most general. */
const patterns: readonly Pattern[] = [
  {
    guess: { type: 'char', format: 'email' },
    fits: (value) => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(value),
    sure: 'sure',
  },
  { guess: { type: 'char', format: 'url' }, fits: (value) => /^https?:\/\/\S+$/i.test(value), sure: 'sure' },
  { guess: { type: 'boolean' }, fits: (value) => yes.has(value.toLowerCase()), sure: 'sure' },
  {
    guess: { type: 'datetime' },
    fits: (value) => /^\S{6,10}[ T]\d{1,2}:\d{2}/.test(value) && isDay(value.split(/[ T]/)[0] ?? ''),
    sure: 'sure',
  },
  { guess: { type: 'date' }, fits: isDay, sure: 'sure' },
  {
    ...{ guess: { type: 'char', format: 'phone' }, sure: 'likely', header: phone, isNamed: true },
    fits: (value) => /^[+(]?[\d ()/.-]{5,24}$/.test(value),
  },
  { guess: { type: 'monetary' }, fits: isNumber, sure: 'likely', header: money, isNamed: true },
  { guess: { type: 'integer' }, fits: (value) => /^[+-]?\d{1,9}$/.test(value) && isNumber(value), sure: 'sure' },
  { guess: { type: 'decimal' }, fits: isNumber, sure: 'sure' },
];

/** A number that loses nothing as one: 007 is a text. */
function isNumber(value: string): boolean {
  return number.test(value) && !/^[+-]?0\d/.test(value);
}

function isDay(value: string): boolean {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(value);
  const other = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(value);
  if (iso) return isMonth(iso[2]) && isDayOfMonth(iso[3]);
  if (!other) return false;
  const [, one, , two] = other;
  return (isMonth(two) && isDayOfMonth(one)) || (isMonth(one) && isDayOfMonth(two));
}

function isMonth(text: string | undefined): boolean {
  return Number(text) >= 1 && Number(text) <= 12;
}

function isDayOfMonth(text: string | undefined): boolean {
  return Number(text) >= 1 && Number(text) <= 31;
}

/** What a column probably holds, and how sure that is. */
export function guessColumn({ header, values, different }: ColumnValues): ColumnGuess {
  const few = [...different].sort();
  const mayChoose =
    few.length > 0 && few.length <= possibleChoices && few.every((value) => value.length <= choiceLength);
  const base = {
    ...{ header, values: [...different].slice(0, 3), filled: values.length, different: different.size },
    ...(mayChoose && { choices: few }),
  };
  if (values.length === 0) return { ...base, type: 'char', sure: 'guess' };
  const found = patterns.find(
    ({ fits, header: named, isNamed }) => !(isNamed && !named?.test(header)) && values.every((value) => fits(value)),
  );
  // Two words in every row are rather a choice than a coincidence.
  if (found)
    return { ...base, ...found.guess, sure: values.length < 3 && found.sure === 'sure' ? 'likely' : found.sure };
  if (values.some((value) => value.length > shortText || value.includes('\n')))
    return { ...base, type: 'text', sure: 'sure' };
  if (mayChoose && few.length <= mostChoices && values.length >= few.length * 3)
    return { ...base, type: 'selection', sure: 'likely' };
  return { ...base, type: 'char', sure: different.size === values.length ? 'sure' : 'likely' };
}
