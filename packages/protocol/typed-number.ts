/** A user's number notation: the decimal mark and the thousands separator. */
export interface NumberNotation {
  readonly decimal: string;
  readonly group: string;
}

const notations = new Map<string, NumberNotation>();

/** The notation of a language. */
export function numberNotationOf(locale: string): NumberNotation {
  const known = notations.get(locale);
  if (known) return known;
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1234567.5);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  const notation = { decimal: part('decimal'), group: part('group') };
  notations.set(locale, notation);
  return notation;
}

export type DecimalMark = '.' | ',';

/** The meaning of a text: plain digits with a point, or one of two numbers. */
export type TypedNumber = { readonly digits: string } | { readonly either: readonly [whole: string, part: string] };

const thousandsBy = {
  '.': /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d{1,2}(?:\.\d{2})+\.\d{3})$/,
  ',': /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})$/,
} as const;

/** One mark followed by three digits: decimals in one country, thousands in another. */
const unclear = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** Spaces and apostrophes between thousands, in all the forms that languages and spreadsheets use. */
const spaces = /[ \u00a0\u2009\u202f'\u2019\u066c](?=\d{3}(?!\d))/g;

/** The decimal mark of a number: a comma in `1,5` and `1.234,50`, a point in `1.50` and `1,234.50`; null if it is ambiguous. */
export function decimalMarkOf(number: string): DecimalMark | null {
  const [point, comma] = [number.lastIndexOf('.'), number.lastIndexOf(',')];
  if (point < 0 && comma < 0) return null;
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ',';
  const mark = point >= 0 ? '.' : ',';
  // A mark that occurs twice separates thousands.
  if (number.indexOf(mark) !== Math.max(point, comma)) return mark === '.' ? ',' : '.';
  return unclear.test(number) ? null : mark;
}

/**
 * A number as a user typed it. A mark whose position is unambiguous is read by it, in any language. If it could separate decimals
 * or thousands, the user's notation decides; if that does not have the mark, or the field has no room for three decimals (`scale`),
 * the text is ambiguous. Null: it is not a number.
 */
export function numberFromText(text: string, notation: NumberNotation, scale = Infinity): TypedNumber | null {
  const given = latinDigits(text)
    .trim()
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace('\u2212', '-')
    .replace(/^([+-]?)[\s\u00a0\u202f]*\p{Sc}[\s\u00a0\u202f]*|[\s\u00a0\u202f]*[\p{Sc}%\u066a]$/gu, '$1')
    .replace(spaces, '');
  // The Arabic decimal mark is never anything else.
  if (given.includes('\u066b')) return plainDigits(given.replace('\u066b', '.'), '.');
  const mark = decimalMarkOf(given);
  if (mark !== null || !unclear.test(given)) return plainDigits(given, mark ?? '.');
  const written = given.includes('.') ? '.' : ',';
  const [whole, part] = [given.replace(written, ''), given.replace(written, '.')];
  if (written === notation.group) return { digits: whole };
  return written === notation.decimal && scale >= 3 ? { digits: part } : { either: [whole, part] };
}

/** Numbers that stand for others: `5k` is not five. */
const magnitude = /^(?:k|m|mn|mm|mio|mrd|bn|b|t|tsd|tn|md|mld)$/i;
const before = /^([\p{L}]{1,4}\.?|\p{Sc}|[\p{L}]{1,2}\p{Sc})[\s\u00a0\u202f]*(?=[+\-\u2212]?\p{Nd})/u;
const after = /(?<=\p{Nd})[\s\u00a0\u202f]+(\p{L}[\p{L}\u00b2\u00b3]{0,14}\.?)$/u;

/** A number without the currency before or after it, or the unit after it, from a table that other programs wrote: `CHF 12.50`, `3 kg`. */
export function withoutUnit(text: string): string {
  const given = text.trim();
  const [, unit = ''] = after.exec(given) ?? [];
  if (unit !== '') return magnitude.test(unit) ? given : given.replace(after, '');
  const [lead = '', currency = ''] = before.exec(given) ?? [];
  // `AB12` is a code; a currency in letters stands apart.
  const isApart = /\p{Sc}/u.test(currency) || lead !== currency;
  return isApart ? given.slice(lead.length) : given;
}

function plainDigits(given: string, mark: DecimalMark): TypedNumber | null {
  const group = mark === '.' ? ',' : '.';
  const [whole = '', ...fractions] = given.split(mark);
  const fraction = fractions[0] ?? '';
  const isWhole = /^[+-]?\d*$/.test(whole) || thousandsBy[group].test(whole);
  if (fractions.length > 1 || !isWhole || !/^\d*$/.test(fraction) || !/\d/.test(given)) return null;
  const digits = whole.replaceAll(group, '').replace(/^([+-]?)$/, '$10');
  return { digits: fraction === '' ? digits : `${digits}.${fraction}` };
}

/** Converts Arabic and Persian digits. */
export function latinDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
}
