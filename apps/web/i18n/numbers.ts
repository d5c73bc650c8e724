import { hoursFromText, type NumberNotation, numberFromText, numberNotationOf, writeNumber } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';
import { locale } from './messages.ts';

const formats = new Map<string, Intl.NumberFormat>();

function format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale()}${JSON.stringify(options)}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.NumberFormat(locale(), options);
    formats.set(key, found);
  }
  return found;
}

/** An integer in the user's notation. */
export function formatInteger(value: number | string): string {
  return written(Number(value), 0, 0) ?? format({ maximumFractionDigits: 0 }).format(Number(value));
}

/** Formatted by the rules sent with the page, without `Intl`; null if those do not suffice. */
function written(value: number | string, least: number, most: number): string | null {
  const form = bootstrap().forms?.number;
  return form ? writeNumber(form, value, least, most) : null;
}

/** A number in the user's notation, with `scale` decimals or as many as it has. */
export function formatDecimal(value: number | string, scale?: number): string {
  const known = written(value, scale ?? 0, scale ?? 6);
  if (known !== null) return known;
  const options =
    scale === undefined ? { maximumFractionDigits: 6 } : { minimumFractionDigits: scale, maximumFractionDigits: scale };
  // Passing a decimal string keeps digits that a number would lose.
  return format(options).format(value as number);
}

/** An amount in the user's notation. `currency` is an ISO code; without one, there is no symbol. */
export function formatMoney(value: number | string, currency?: string | null): string {
  if (!currency || !/^[A-Z]{3}$/.test(currency)) return formatDecimal(value, 2);
  const form = bootstrap().forms?.money[currency];
  const known = form ? writeNumber(form, value, form.scale, form.scale) : null;
  return known ?? format({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(value as number);
}

/** The same without cents. */
export function formatRoundMoney(value: number | string, currency: string): string {
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol', maximumFractionDigits: 0 } as const;
  return format(options).format(Number(value));
}

/**
 * Parses user input; null if empty, undefined if it is not a number, or if it is ambiguous in a field with `scale`
 * decimals.
 */
export function parseNumber(text: string, scale?: number): number | null | undefined {
  if (text.trim() === '') return null;
  const found = numberFromText(text, separators(), scale);
  // Adding 0 turns -0 into 0.
  return found && 'digits' in found ? Number(found.digits) + 0 : undefined;
}

/** Parses a duration such as `1:30`, `1.5`, `90m` or `1h30` into hours; undefined if it is invalid. */
export function parseHours(text: string, scale?: number): number | null | undefined {
  if (text.trim() === '') return null;
  const found = hoursFromText(text, separators(), scale);
  return found && 'digits' in found ? Number(found.digits) + 0 : undefined;
}

/** The two readings of an ambiguous text such as `1.234`; otherwise null. */
export function numberReadings(text: string, scale?: number): readonly [number, number] | null {
  const found = numberFromText(text, separators(), scale);
  return found && 'either' in found ? [Number(found.either[0]), Number(found.either[1])] : null;
}

/** A number as a user would type it: no grouping, own decimal separator. */
export function editNumber(value: number | string | null | undefined): string {
  if (value === null || value === undefined || value === '') return '';
  return String(value).replace('.', separators().decimal);
}

function separators(): NumberNotation {
  return numberNotationOf(locale());
}

/** Hours and minutes: 1.5 becomes 1:30. */
export function formatHours(value: number): string {
  const minutes = Math.round(Math.abs(value) * 60);
  return `${value < 0 ? '-' : ''}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
