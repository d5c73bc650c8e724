import { Decimal } from '@kontor/addon';

/** How a file writes amounts: with this sign before the cents. */
export type DecimalMark = ',' | '.';

const longest = 40;

/** An amount as a bank writes it: `1.234,56-`, `+12,00`, `(5.00)`, `12.00 CR`. Null: it is none. */
export function readAmount(given: string, mark: DecimalMark): Decimal | null {
  if (given.length > longest) return null;
  const text = given.replaceAll(/[\s\u00a0\u202f'’]/g, '').replace(/^[A-Z]{3}|(?:EUR|USD|CHF|GBP|€|\$|£)$/, '');
  const parts = /^(\()?([+\-−])?([\d.,]+)([+\-−])?(CR|DR|[HS])?(\))?$/i.exec(text);
  if (!parts) return null;
  const [, bracket, before, digits = '', after, letter = ''] = parts;
  const group = mark === ',' ? '.' : ',';
  const number = mark === ',' ? /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d*)?$/ : /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?$/;
  const plain = /^[.,]\d+$/.test(digits) ? `0${digits}` : digits;
  if (!number.test(plain)) return null;
  const whole = plain.replaceAll(group, '').replace(mark, '.').replace(/\.$/, '');
  if (whole.replace('.', '').length > 18) return null;
  const isNegative = [before, after].some((sign) => sign === '-' || sign === '−') || bracket !== undefined;
  const isDebit = /^(?:DR|S)$/i.test(letter);
  const amount = new Decimal(whole);
  return isNegative || isDebit ? amount.times(-1) : amount;
}

/** The mark that all amounts of a column can be read with; a comma where both could be. */
export function markOf(values: readonly string[]): DecimalMark | null {
  const given = values.filter((value) => value.trim() !== '');
  const fits = (mark: DecimalMark) => given.every((value) => readAmount(value, mark) !== null);
  const marks = ([',', '.'] as const).filter(fits);
  if (marks.length < 2) return marks[0] ?? null;
  // Both can read them all: whichever is followed by two digits at the end.
  return given.some((value) => /\.\d{1,2}\D*$/.test(value)) ? '.' : ',';
}
