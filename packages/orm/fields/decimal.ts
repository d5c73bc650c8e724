import { type Text, text, trimZeros } from '@kontor/protocol';
import { Decimal, decimalText, isDecimal, parseDecimal } from '../decimal.ts';
import type { Field } from '../model/model.ts';
import { checkBounds } from './bounds.ts';
import { BadValue, type FieldKind } from './kind.ts';
import { isAbsent } from './text-check.ts';

/** An exact decimal number; with `precision` its digits are bounded. */
export const decimalKind: FieldKind = decimalKindOf((field) => field.spec.precision ?? null);

export function decimalKindOf(
  precisionOf: (field: Field) => readonly [digits: number, scale: number] | null,
): FieldKind {
  return {
    column(field) {
      const precision = precisionOf(field);
      return precision === null ? 'numeric' : `numeric(${precision[0]},${precision[1]})`;
    },
    cast(value, field) {
      if (isAbsent(value)) return null;
      const number = fit(value, precisionOf(field));
      checkBounds(
        field,
        (bound) => number.lt(bound),
        (bound) => number.gt(bound),
      );
      return number;
    },
    toParameter: (value) => (value === null ? null : decimalText(value as Decimal)),
    fromCell: (cell) => (cell === null ? null : new Decimal(cell as string)),
    cellToJson: (cell) => trimZeros(String(cell)),
    wire: 'decimal',
    isEmpty: isAbsent,
  };
}

/** What a person typed must fit as it is; what server code worked out (a Decimal) is rounded half up. */
function fit(value: unknown, precision: readonly [digits: number, scale: number] | null): Decimal {
  let number = parseDecimal(value);
  if (precision === null) return number;
  const [digits, scale] = precision;
  if (isDecimal(value)) number = number.round(scale, Decimal.roundHalfUp);
  else if (decimals(number) > scale) throw new BadValue(scaleMessage(scale));
  const whole = digits - scale;
  if (number.abs().gte(new Decimal(10).pow(whole)))
    throw new BadValue(text('At most {whole} digits before the point.', { whole }));
  return number.eq(0) ? new Decimal(0) : number;
}

function scaleMessage(scale: number): Text {
  if (scale === 0) return text('Give a number without decimals.');
  return scale === 1 ? text('At most 1 decimal.') : text('At most {scale} decimals.', { scale });
}

function decimals(number: Decimal): number {
  return number.eq(0) ? 0 : Math.max(0, number.c.length - 1 - number.e);
}
