import { type DecimalMark, decimalMarkOf, hoursFromText, numberFromText, text } from '@kontor/protocol';
import { BadValue, type TextNotation } from './kind.ts';

const plain = /^[+-]?\d*(?:\.\d*)?(?:[eE][+-]?\d{1,4})?$/;
/** An integer, or with decimals after a point that cannot be a thousands separator. */
const clear = /^[+-]?\d+(?:\.(?:\d\d?|\d{4,}))?$/;

/** What a field has room for. */
export interface NumberShape {
  readonly isWhole?: boolean;
  /** Decimals that it is written with; absent: any. */
  readonly scale?: number | undefined;
  readonly isHours?: boolean;
}

/**
 * A number as plain digits with a point. For an ambiguous cell, the mark of its column decides, then the user's
 * language. A text that could mean two numbers is rejected.
 */
export function readNumber(cell: string, notation: TextNotation | null, shape: NumberShape = {}): string {
  const { isWhole = false, scale = Infinity, isHours = false } = shape;
  if (notation === null || /\de/i.test(cell)) return plainNumber(cell.trim(), isWhole);
  if (clear.test(cell)) return cell;
  const common = notation.mark();
  const decimal = common ?? (notation.decimal === ',' ? ',' : '.');
  // Our own export writes decimals with a point, so a point means thousands only if the column or the field says so.
  const isPointClear = decimal === '.' || common !== null || isWhole;
  const own = { decimal, group: decimal === '.' ? ',' : isPointClear ? '.' : '' };
  // The column says what its marks mean, whatever the field has room for.
  const room = common === null ? scale : Infinity;
  const found = isHours ? hoursFromText(cell, own, room) : numberFromText(cell, own, room);
  if (found === null) throw notANumber();
  if ('digits' in found) return found.digits;
  const [whole, part] = found.either;
  throw new BadValue(
    text('{given} could be {whole} or {part}. Write {whole} or {part}0.', {
      given: cell.trim(),
      whole,
      part: part.replace('.', notation.decimal),
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
