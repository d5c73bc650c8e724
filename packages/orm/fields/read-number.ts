import { text } from '@kontor/protocol';
import { BadValue, type TextNotation } from './kind.ts';

type DecimalMark = ReturnType<TextNotation['mark']>;

const plain = /^[+-]?\d*(?:\.\d*)?(?:[eE][+-]?\d{1,4})?$/;
const spaces = /[\u00a0\u202f\u2009' ](?=\d{3}(?!\d))/g;
const byGroups = { '.': /^[+-]?\d{1,3}(?:\.\d{3})+$/, ',': /^[+-]?\d{1,3}(?:,\d{3})+$/ } as const;

/** What one cell tells about its column: `1,5` and `1.234,50` have a comma before decimals, `1.50` and `1,234.50` a point. */
function decimalMarkOf(cell: string): DecimalMark {
  const [point, comma] = [cell.lastIndexOf('.'), cell.lastIndexOf(',')];
  if (point < 0 && comma < 0) return null;
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ',';
  const mark = point >= 0 ? '.' : ',';
  // Three digits after a single mark may be a group of thousands; anything else is not.
  if (cell.indexOf(mark) !== Math.max(point, comma)) return mark === '.' ? ',' : '.';
  return /[.,]\d{3}$/.test(cell.trim()) && !/^[+-]?0*[.,]/.test(cell.trim()) ? null : mark;
}

/**
 * A number as plain digits with a point. The column is asked for its mark only where the cell itself does not tell. What could
 * be two numbers is refused rather than guessed.
 */
export function readNumber(cell: string, notation: TextNotation | null, isWhole = false): string {
  if (notation === null) return plainNumber(cell.trim(), isWhole);
  const given = cell.trim().replaceAll('\u2212', '-').replace(spaces, '');
  if (/^[+-]?\d+$/.test(given)) return given;
  const mark = decimalMarkOf(given) ?? notation.mark() ?? undecided(given, notation.decimal, isWhole);
  const digits = mark === ',' ? given.replaceAll('.', '').replace(',', '.') : given.replaceAll(',', '');
  const isGrouped = mark === ',' ? given.includes('.') : given.includes(',');
  const whole = given.split(mark)[0] as string;
  if (isGrouped && !byGroups[mark === ',' ? '.' : ','].test(whole)) throw noNumber();
  return plainNumber(digits, false);
}

function plainNumber(digits: string, isWhole: boolean): string {
  if (!plain.test(digits) || !/\d/.test(digits) || (isWhole && /e/i.test(digits))) throw noNumber();
  return digits;
}

function noNumber(): BadValue {
  return new BadValue('Give a number, such as 12.50.');
}

function undecided(given: string, own: string, isWhole: boolean): '.' | ',' {
  // A comma is what the person's language says it is; the point is also how the export writes decimals.
  if (given.includes(',')) return own === ',' ? ',' : '.';
  if (own !== ',' || !byGroups['.'].test(given)) return '.';
  // A whole number has no decimals that the point could stand before.
  if (isWhole) return ',';
  throw new BadValue(
    text('{given} could be {whole} or {part}. Write it without a point, or with a comma.', {
      given,
      whole: given.replaceAll('.', ''),
      part: given.replace('.', ','),
    }),
  );
}

/** The mark that the cells of a column agree on. */
export function agreedMark(cells: Iterable<string>): DecimalMark {
  let agreed: DecimalMark = null;
  for (const cell of cells) {
    const mark = decimalMarkOf(cell.trim());
    if (mark === null || mark === agreed) continue;
    if (agreed !== null) return null;
    agreed = mark;
  }
  return agreed;
}
