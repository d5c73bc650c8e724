import { text } from '@kontor/protocol';
import { isDecimal } from '../decimal.ts';
import { checkBounds } from './bounds.ts';
import { BadValue, type FieldKind } from './kind.ts';
import { isAbsent } from './text-check.ts';

const least = -(2 ** 31);
const greatest = 2 ** 31 - 1;

/** A whole number of four bytes. */
export const integerKind: FieldKind = {
  column: () => 'integer',
  cast(value, field) {
    if (isAbsent(value)) return null;
    const number = isDecimal(value) ? value.toNumber() : value;
    if (typeof number !== 'number' || !Number.isInteger(number)) throw new BadValue('Give a whole number.');
    if (number < least || number > greatest)
      throw new BadValue(text('Give a whole number from {least} to {greatest}.', { least, greatest }));
    checkBounds(
      field,
      (bound) => number < bound,
      (bound) => number > bound,
    );
    return number === 0 ? 0 : number;
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell,
  cellToJson: (cell) => String(cell),
  wire: 'digits',
  isEmpty: isAbsent,
};
