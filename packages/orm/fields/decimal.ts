import { text } from '@kontor/protocol';
import Big from 'big.js';
import { BadValue } from './kind.ts';

/** An exact decimal number; money and `decimal` fields have it in server code. */
export type Decimal = Big;

const maxDigits = 100;

/**
 * Exact decimal numbers, rounded half up where a division does not end. It is a separate constructor, so that settings of the
 * shared one do not change the rounding.
 * ```ts
 * const net = new Decimal('19.90').times(3);
 * const gross = net.times('1.19').round(2);
 * ```
 */
export const Decimal = Big();
Decimal.DP = 20;
Decimal.RM = Big.roundHalfUp;
// Never an exponent in text: the wire and PostgreSQL get plain digits.
Decimal.NE = -1e6;
Decimal.PE = 1e6;

export function isDecimal(value: unknown): value is Decimal {
  return value instanceof Decimal;
}

/** Without a comparison, which would convert the zero to a number first. */
export function isZero({ c }: Decimal): boolean {
  return c[0] === 0;
}

/**
 * Accepts a decimal string, or a number in its shortest decimal form. A number of more than 15 significant digits may
 * already have lost some in binary floating point, so it is rejected rather than stored wrong.
 */
export function parseDecimal(value: unknown): Decimal {
  if (isDecimal(value)) return value;
  if (typeof value === 'number') return parseNumber(value);
  if (typeof value === 'string') return parseText(value);
  throw new BadValue('Must be a number.');
}

/** Plain digits without an exponent and without trailing zeros after the point. */
export function decimalText(value: Decimal): string {
  return isZero(value) ? '0' : value.toFixed();
}

function parseNumber(value: number): Decimal {
  if (!Number.isFinite(value)) throw new BadValue('Must be a finite number.');
  const text = String(value);
  if (text.length <= 15) return parseText(text);
  const digits = text.replace(/e.*$/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  if (digits.length > 15) throw new BadValue('A number of more than 15 digits must be sent as text, such as "0.1".');
  return parseText(text);
}

/** The usual case: Big accepts them unchanged, and none has too many digits. */
const plain = /^-?\d{1,40}(?:\.\d{1,40})?$/;

function parseText(given: string): Decimal {
  if (plain.test(given)) return unsigned(new Decimal(given));
  const match = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(given.length > 300 ? '' : given);
  if (match === null || (match[1] === '' && !match[2])) throw new BadValue('Must be a number, such as 12.50.');
  const value = new Decimal(normalise(given));
  if (value.e >= maxDigits || value.c.length - 1 - value.e > maxDigits) {
    throw new BadValue(
      text('Must be a number of at most {maxDigits} digits before and after the point.', { maxDigits }),
    );
  }
  return unsigned(value);
}

/** Zero has no sign. */
function unsigned(value: Decimal): Decimal {
  return isZero(value) ? new Decimal(0) : value;
}

/** Big accepts neither a leading `+` nor a point at an end. */
function normalise(text: string): string {
  return text
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=[eE]|$)/, '');
}
