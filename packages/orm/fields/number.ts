import { type Sql, sql } from '@kontor/database';
import { type Text, text, trimZeros } from '@kontor/protocol';
import { Decimal, decimalText, isDecimal, isZero, parseDecimal } from './decimal.ts';
import { BadValue, type DeclaredField, defineKind, type FieldKind, isAbsent } from './kind.ts';
import { type NumberShape, readNumber } from './read-number.ts';

const shared = {
  backfill: () => '0',
  nameSql: (value: Sql) => sql`(${value})::text`,
} as const;

const least = -(2 ** 31);
const greatest = 2 ** 31 - 1;

/** A four-byte integer. */
export const integerKind = defineKind('integer', {
  ...shared,
  column: () => 'integer',
  cast(value, field) {
    if (isAbsent(value)) return null;
    const number = isDecimal(value) ? value.toNumber() : value;
    if (typeof number !== 'number' || !Number.isInteger(number)) throw new BadValue('Must be a whole number.');
    if (number < least || number > greatest)
      throw new BadValue(text('Must be a whole number from {least} to {greatest}.', { least, greatest }));
    return inBounds(number, field);
  },
  fromResult: toNumber,
  fromText: (cell, _field, notation) => Number(readNumber(cell, notation, { isWhole: true })),
  cellToJson: String,
  wire: 'digits',
  jsonSql: (value) => sql`to_jsonb(${value})`,
});

/** A binary floating point number, for measurements; never for money. */
export const floatKind = defineKind('float', {
  ...shared,
  column: () => 'double precision',
  cast(value, field) {
    if (isAbsent(value)) return null;
    const number = isDecimal(value) ? value.toNumber() : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) throw new BadValue('Must be a number.');
    return inBounds(number, field);
  },
  fromResult: toNumber,
  fromText: (cell, field, notation) => Number(readNumber(cell, notation, shapeOf(field))),
  jsonSql: (value) => sql`to_jsonb(${value})`,
});

/** A compute may return a Decimal. */
function toNumber(result: unknown): unknown {
  return typeof result === 'object' ? Number(result) : result;
}

function inBounds(number: number, field: DeclaredField): number {
  checkBounds(
    field,
    (bound) => number < bound,
    (bound) => number > bound,
  );
  return number === 0 ? 0 : number;
}

/** The minimum and maximum that the field's author declared. */
function checkBounds(
  field: DeclaredField,
  isBelow: (bound: number) => boolean,
  isAbove: (bound: number) => boolean,
): void {
  const { min, max } = field.spec;
  if (min !== undefined && isBelow(min)) throw new BadValue(text('At least {min}.', { min }));
  if (max !== undefined && isAbove(max)) throw new BadValue(text('At most {max}.', { max }));
}

type Precision = readonly [digits: number, scale: number];

/** No currency of ISO 4217 has more than four decimals. */
const moneyPrecision: Precision = [20, 4];

/** An exact decimal number; with `precision` its digits are limited. */
export const decimalKind = exactKind('decimal', null);

/** An amount of money in the currency of the field that `currency` names. */
export const monetaryKind = exactKind('monetary', moneyPrecision);

function exactKind(type: 'decimal' | 'monetary', usual: Precision | null): FieldKind {
  return defineKind(type, {
    ...shared,
    column({ spec: { precision = usual } }) {
      return precision === null ? 'numeric' : `numeric(${precision[0]},${precision[1]})`;
    },
    cast(value, field) {
      if (isAbsent(value)) return null;
      const number = castDecimal(value, field.spec.precision ?? usual);
      if (field.spec.min === undefined && field.spec.max === undefined) return number;
      checkBounds(
        field,
        (bound) => number.lt(bound),
        (bound) => number.gt(bound),
      );
      return number;
    },
    // A computed result with too many decimals is rounded; a typed number with too many is rejected.
    fromResult: (result) => parseDecimal(typeof result === 'number' ? roundTo15Digits(result) : result),
    fromText: (cell, field, notation) =>
      readNumber(cell, notation, shapeOf(field, usual === moneyPrecision ? 2 : undefined)),
    toText: (value) => (isDecimal(value) ? decimalText(value) : String(value)),
    toParameter: (value) => (value === null ? null : decimalText(value as Decimal)),
    fromCell: (cell) => (cell === null ? null : new Decimal(cell as string)),
    cellToJson: (cell) => trimZeros(String(cell)),
    wire: 'decimal',
    jsonSql: (value) => sql`to_jsonb(trim_scale(${value}))`,
    isSame: (left, right) => isDecimal(left) && isDecimal(right) && left.eq(right),
  });
}

/** The decimals that a field is written with: for amounts those of most currencies. */
function shapeOf({ spec }: DeclaredField, usual?: number): NumberShape {
  return { scale: spec.precision?.[1] ?? usual, isHours: spec.unit === 'hours' };
}

/** A computed float such as 0.1 + 0.2 is exact to 15 digits only. */
function roundTo15Digits(result: number): number {
  return Number.isFinite(result) ? Number(result.toPrecision(15)) : result;
}

/** A Decimal from server code is rounded half up; other values with too many decimals are rejected. */
function castDecimal(value: unknown, precision: Precision | null): Decimal {
  let number = parseDecimal(value);
  if (precision === null) return number;
  const [digits, scale] = precision;
  if (decimals(number) > scale) {
    if (!isDecimal(value)) throw new BadValue(scaleMessage(scale));
    number = number.round(scale, Decimal.roundHalfUp);
  }
  const whole = digits - scale;
  if (isZero(number)) return number.s < 0 ? new Decimal(0) : number;
  // By its first digit: the value is `c[0]` times ten to the power of `e`.
  if (number.e >= whole) throw new BadValue(text('At most {whole} digits before the point.', { whole }));
  return number;
}

function scaleMessage(scale: number): Text {
  if (scale === 0) return text('Must be a number without decimals.');
  return scale === 1 ? text('At most 1 decimal.') : text('At most {scale} decimals.', { scale });
}

function decimals(number: Decimal): number {
  return isZero(number) ? 0 : Math.max(0, number.c.length - 1 - number.e);
}
