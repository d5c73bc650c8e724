import { type DecimalMark, decimalMarkOf, numberFromText, text } from '@kontor/protocol';
import { BadValue, type TextNotation } from './kind.ts';

const plain = /^[+-]?\d*(?:\.\d*)?(?:[eE][+-]?\d{1,4})?$/;
/** An integer, or with decimals after a point that cannot be a thousands separator. */
const clear = /^[+-]?\d+(?:\.(?:\d\d?|\d{4,}))?$/;

/**
 * A number as plain digits with a point. For an ambiguous cell, the mark of its column decides, then the user's
 * language. A text that could mean two numbers is rejected.
 */
export function readNumber(cell: string, notation: TextNotation | null, isWhole = false): string {
  if (notation === null || /\de/i.test(cell)) return plainNumber(cell.trim(), isWhole);
  if (clear.test(cell)) return cell;
  const common = notation.mark();
  const decimal = common ?? (notation.decimal === ',' ? ',' : '.');
  // Our own export writes decimals with a point, so a point means thousands only if the column or the field says so.
  const isPointClear = decimal === '.' || common !== null || isWhole;
  const found = numberFromText(cell, { decimal, group: decimal === '.' ? ',' : isPointClear ? '.' : '' });
  if (found === null) throw notANumber();
  if ('digits' in found) return found.digits;
  const [whole, part] = found.either;
  throw new BadValue(
    text('{given} could be {whole} or {part}. Write it without a point, or with a comma.', {
      given: cell.trim(),
      whole,
      part: part.replace('.', ','),
    }),
  );
}

function plainNumber(digits: string, isWhole: boolean): string {
  if (!plain.test(digits) || !/\d/.test(digits) || (isWhole && /e/i.test(digits))) throw notANumber();
  return digits;
}

function notANumber(): BadValue {
  return new BadValue('Must be a number, such as 12.50.');
}

/** The decimal mark that all cells of a column share; null if they differ or all are ambiguous. */
export function commonDecimalMark(cells: Iterable<string>): DecimalMark | null {
  let common: DecimalMark | null = null;
  for (const cell of cells) {
    const mark = decimalMarkOf(cell.trim());
    if (mark === null || mark === common) continue;
    if (common !== null) return null;
    common = mark;
  }
  return common;
}
