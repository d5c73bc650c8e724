import { latinDigits, text } from '@kontor/protocol';
import { BadValue, type TextNotation } from './kind.ts';

type DecimalMark = ReturnType<TextNotation['mark']>;

const plain = /^[+-]?\d*(?:\.\d*)?(?:[eE][+-]?\d{1,4})?$/;
/** Whole, or with decimals after a point that cannot be thousands. */
const clear = /^[+-]?\d+(?:\.(?:\d\d?|\d{4,}))?$/;
const spaces = /[\u00a0\u202f\u2009' ](?=\d{3}(?!\d))/g;
const thousandsBy = { '.': /^[+-]?\d{1,3}(?:\.\d{3})+$/, ',': /^[+-]?\d{1,3}(?:,\d{3})+$/ } as const;

/** The decimal mark of one cell: a comma in `1,5` and `1.234,50`, a point in `1.50` and `1,234.50`; null where it is not clear. */
function decimalMarkOf(cell: string): DecimalMark {
  const [point, comma] = [cell.lastIndexOf('.'), cell.lastIndexOf(',')];
  if (point < 0 && comma < 0) return null;
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ',';
  const mark = point >= 0 ? '.' : ',';
  // Only three digits after a single mark may be thousands.
  if (cell.indexOf(mark) !== Math.max(point, comma)) return mark === '.' ? ',' : '.';
  return /[.,]\d{3}$/.test(cell.trim()) && !/^[+-]?0*[.,]/.test(cell.trim()) ? null : mark;
}

/**
 * A number as plain digits with a point. Where the cell is not clear, the mark of its column decides. A text that could mean
 * two numbers is refused.
 */
export function readNumber(cell: string, notation: TextNotation | null, isWhole = false): string {
  if (notation === null) return plainNumber(cell.trim(), isWhole);
  if (clear.test(cell)) return cell;
  const given = latinDigits(cell)
    .trim()
    .replaceAll('\u2212', '-')
    .replaceAll('\u066c', '')
    .replace('\u066b', '.')
    .replace(spaces, '');
  if (/^[+-]?\d+$/.test(given)) return given;
  const mark = decimalMarkOf(given) ?? notation.mark() ?? markByLanguage(given, notation.decimal, isWhole);
  const digits = mark === ',' ? given.replaceAll('.', '').replace(',', '.') : given.replaceAll(',', '');
  const isGrouped = mark === ',' ? given.includes('.') : given.includes(',');
  const whole = given.split(mark)[0] as string;
  if (isGrouped && !thousandsBy[mark === ',' ? '.' : ','].test(whole)) throw notANumber();
  return plainNumber(digits, false);
}

function plainNumber(digits: string, isWhole: boolean): string {
  if (!plain.test(digits) || !/\d/.test(digits) || (isWhole && /e/i.test(digits))) throw notANumber();
  return digits;
}

function notANumber(): BadValue {
  return new BadValue('Give a number, such as 12.50.');
}

/** The decimal mark in the person's language, for a text such as `1.234` in a column that does not decide. */
function markByLanguage(given: string, own: string, isWhole: boolean): '.' | ',' {
  // A comma means what it means in the person's language. A point may also come from our export, which writes decimals with it.
  if (given.includes(',')) return own === ',' ? ',' : '.';
  if (own !== ',' || !thousandsBy['.'].test(given)) return '.';
  // A whole number has no decimals, so the point groups thousands.
  if (isWhole) return ',';
  throw new BadValue(
    text('{given} could be {whole} or {part}. Write it without a point, or with a comma.', {
      given,
      whole: given.replaceAll('.', ''),
      part: given.replace('.', ','),
    }),
  );
}

/** The decimal mark that all cells of a column share; null where they differ or none is clear. */
export function commonDecimalMark(cells: Iterable<string>): DecimalMark {
  let common: DecimalMark = null;
  for (const cell of cells) {
    const mark = decimalMarkOf(cell.trim());
    if (mark === null || mark === common) continue;
    if (common !== null) return null;
    common = mark;
  }
  return common;
}
