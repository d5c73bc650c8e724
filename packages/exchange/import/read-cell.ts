import { BadValue, type Field } from '@kontor/orm';
import {
  dateOrderOf,
  dayFromText,
  didYouMean,
  instantFromText,
  isDate,
  type TimeNotation,
  text,
} from '@kontor/protocol';

/** Turns the text of a cell into a value of its field's type; throws BadValue. Relations are looked up elsewhere. */
export type CellReader = (cell: string) => unknown;

interface ColumnNotation extends Notation {
  /** The mark before decimals that the cells of the column agree on. */
  readonly mark: () => DecimalMark;
}

export function cellReader(field: Field, notation: ColumnNotation): CellReader {
  const { decimal, mark } = notation;
  switch (field.spec.type) {
    case 'integer':
      return (cell) => Number(readNumber(cell, decimal, mark, true));
    case 'float':
      return (cell) => Number(readNumber(cell, decimal, mark));
    case 'decimal':
    case 'monetary':
      return (cell) => readNumber(cell, decimal, mark);
    case 'boolean':
      return readBoolean;
    case 'date':
      return (cell) => readDate(cell, notation);
    case 'datetime':
      return (cell) => readInstant(cell, notation);
    case 'selection':
      return choiceReader(field);
    case 'json':
      return readJson;
    default:
      return (cell) => cell;
  }
}

function readJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    throw new BadValue('Give a JSON value.');
  }
}

/** How a person writes numbers, dates and times. */
interface Notation extends TimeNotation {
  readonly decimal: string;
  readonly group: string;
}

export function notationOf({ lang, tz }: { readonly lang: string; readonly tz: string }): Notation {
  const locale = localeOf(lang);
  const number = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1234567.5);
  return {
    decimal: number.find(({ type }) => type === 'decimal')?.value ?? '.',
    group: number.find(({ type }) => type === 'group')?.value ?? ',',
    dateOrder: dateOrderOf(locale),
    tz,
  };
}

function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang.replaceAll('_', '-').replace(/@.*$/, ''))[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}

/** The mark before the decimals that the cells of a column agree on; null where nothing tells. */
export type DecimalMark = '.' | ',' | null;

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
 * A number as plain digits with a point. `own` is the mark of the person's language and `agreed` that of the column, which is
 * asked only where the cell itself does not tell. What could be two numbers is refused rather than guessed.
 */
export function readNumber(cell: string, own: string, agreed: () => DecimalMark, isWhole = false): string {
  const given = cell.trim().replaceAll('\u2212', '-').replace(spaces, '');
  if (/^[+-]?\d+$/.test(given)) return given;
  const mark = decimalMarkOf(given) ?? agreed() ?? undecided(given, own, isWhole);
  const digits = mark === ',' ? given.replaceAll('.', '').replace(',', '.') : given.replaceAll(',', '');
  const isGrouped = mark === ',' ? given.includes('.') : given.includes(',');
  const whole = given.split(mark)[0] as string;
  if (!plain.test(digits) || !/\d/.test(digits) || (isGrouped && !byGroups[mark === ',' ? '.' : ','].test(whole))) {
    throw new BadValue('Give a number, such as 12.50.');
  }
  return digits;
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

/** A day as `YYYY-MM-DD`, from that or from how the person's language writes days. */
export function readDate(cell: string, notation: TimeNotation): string {
  const day = dayFromText(cell, notation);
  if (day === null)
    throw new BadValue(text('"{given}" is not a date. Write it as YYYY-MM-DD.', { given: shown(cell) }));
  if (!isDate(day)) throw new BadValue(text('{given} is not a day of the calendar.', { given: shown(cell) }));
  return day;
}

/** An instant in UTC. A time without an offset is one in the person's time zone, a day is its beginning. */
export function readInstant(cell: string, notation: TimeNotation): string {
  const instant = instantFromText(cell, notation);
  if (instant !== null) return new Date(instant).toISOString();
  if (dayFromText(cell, notation) !== null) return readDate(cell, notation);
  const given = shown(cell);
  throw new BadValue(text('"{given}" is not a date and time. Write it as 2026-11-14T09:30:00Z.', { given }));
}

function shown(cell: string): string {
  return cell.trim().slice(0, 60);
}

const yes = new Set(['true', '1', 'yes', 'y', 't', 'x', 'on', 'ja', 'j', 'wahr', 'oui', 'o', 'vrai', 'sí', 'si', 'да']);
const no = new Set(['false', '0', 'no', 'n', 'f', 'off', 'nein', 'falsch', 'non', 'faux', 'нет']);

/** Yes or no in the ways that spreadsheets and people write them. */
function readBoolean(cell: string): boolean {
  const given = cell.trim().toLowerCase();
  if (yes.has(given)) return true;
  if (no.has(given)) return false;
  throw new BadValue(text('"{given}" is neither true nor false.', { given: cell.slice(0, 60) }));
}

/** One of the values of a selection, given as itself or by its label. */
function choiceReader(field: Field): (cell: string) => string {
  const values = field.selection ?? new Map<string, string>();
  const byLabel = new Map<string, string | null>();
  for (const [value, label] of [...values, ...Object.entries(field.spec.selection ?? {})]) {
    const key = label.trim().toLowerCase();
    const known = byLabel.get(key);
    // A label that stands for two values stands for none.
    byLabel.set(key, known === undefined || known === value ? value : null);
  }
  return (cell) => {
    const given = cell.trim();
    if (values.has(given)) return given;
    const value = byLabel.get(given.toLowerCase());
    if (typeof value === 'string') return value;
    const labels = [...values.values()];
    const hint =
      didYouMean(given, [...values.keys(), ...labels]) ||
      text(' Choose one of: {choices}.', {
        choices: labels.join(', '),
      });
    throw new BadValue(text('"{given}" is not one of the choices.{hint}', { given: given.slice(0, 80), hint }));
  };
}
