import { isDecimal } from '../decimal.ts';
import { checkBounds } from './bounds.ts';
import { BadValue, type FieldKind } from './kind.ts';
import { isAbsent } from './text-check.ts';

/** A binary floating point number, for measurements; never for money. */
export const floatKind: FieldKind = {
  column: () => 'double precision',
  cast(value, field) {
    if (isAbsent(value)) return null;
    const number = isDecimal(value) ? value.toNumber() : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) throw new BadValue('Give a number.');
    checkBounds(
      field,
      (bound) => number < bound,
      (bound) => number > bound,
    );
    return number === 0 ? 0 : number;
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell,
  cellToJson: (cell) => JSON.stringify(cell),
  isEmpty: isAbsent,
};
