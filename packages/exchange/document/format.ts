import type { Decimal } from '@kontor/orm';
import { localeOf } from '../pdf/cell-text.ts';

interface Currency {
  readonly symbol: string;
  readonly decimal_places: number;
}
/** Digits as text are formatted exactly: they never become a binary number. */
type Digits = Intl.StringNumericLiteral;

/**
 * An amount in the format of the language.
 * ```ts
 * export const price = formatAmount(new Decimal('5149.2'), { symbol: '€', decimal_places: 2 }, 'de_DE');
 * ```
 */
export function formatAmount(value: Decimal, currency: Currency | null, lang: string | null): string {
  const digits = value.toFixed(currency?.decimal_places ?? 2) as Digits;
  if (!currency) return formatDigits(digits, lang);
  // The language defines the position of the sign; the currency record defines the sign itself.
  const isWord = /\p{Letter}$/u.test(currency.symbol);
  const sample = isWord ? ({ currency: 'CHF', currencyDisplay: 'code' } as const) : ({ currency: 'EUR' } as const);
  const format = new Intl.NumberFormat(localeFor(lang), { style: 'currency', ...sample, ...scaleOf(digits) });
  return format
    .formatToParts(digits)
    .map((part) => (part.type === 'currency' ? currency.symbol : part.value))
    .join('');
}

/**
 * A number with all its digits, in the format of the language.
 * ```ts
 * export const quantity = formatNumber(new Decimal('1234.5'), 'fr_FR');
 * ```
 */
export function formatNumber(value: Decimal, lang: string | null): string {
  return formatDigits(value.toFixed() as Digits, lang);
}

/**
 * A date, or the date of an instant in UTC, in the format of the language; empty for null.
 * ```ts
 * export const day = formatDate('2026-10-25', 'de_DE');
 * ```
 */
export function formatDate(date: string | null, lang: string | null): string {
  if (date === null) return '';
  const day = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  return new Intl.DateTimeFormat(localeFor(lang), { dateStyle: 'medium', timeZone: 'UTC' }).format(day);
}

/** Date and time of an instant in a time zone, in the format of the language. */
export function formatTime(instant: string, lang: string | null, tz: string | null): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: tz || 'UTC' } as const;
  return new Intl.DateTimeFormat(localeFor(lang), format).format(new Date(instant));
}

function formatDigits(digits: Digits, lang: string | null): string {
  return new Intl.NumberFormat(localeFor(lang), scaleOf(digits)).format(digits);
}

function scaleOf(digits: Digits): { readonly minimumFractionDigits: number; readonly maximumFractionDigits: number } {
  const decimals = digits.split('.')[1]?.length ?? 0;
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
}

function localeFor(lang: string | null): string {
  return localeOf(lang ?? 'en_US');
}
