import { sql } from '@kontor/database';
import { dayFromText, instantFromText, isDate, parseInstant, text } from '@kontor/protocol';
import { BadValue, defineKind, isAbsent, type TextNotation } from './kind.ts';

/** A calendar day, `YYYY-MM-DD`, without a time zone. */
export const dateKind = defineKind('date', {
  column: () => 'date',
  backfill: () => 'CURRENT_DATE',
  cast(value) {
    if (isAbsent(value)) return null;
    if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value))
      throw new BadValue('Must be a date in the format YYYY-MM-DD.');
    if (!isDate(value)) throw new BadValue(text('{given} is not a day of the calendar.', { given: value }));
    return value;
  },
  fromText(cell, _field, notation) {
    if (notation === null) return cell.trim();
    const day = dayFromText(cell, inWords(cell, notation));
    const given = shorten(cell);
    if (day === null) throw new BadValue(text('"{given}" is not a date. Write it as YYYY-MM-DD.', { given }));
    if (!isDate(day)) throw new BadValue(text('{given} is not a day of the calendar.', { given }));
    return day;
  },
  cellToJson: (cell) => `"${cell}"`,
  wire: 'plain',
  jsonSql: (value) => sql`to_jsonb(to_char(${value}, 'YYYY-MM-DD'))`,
  nameSql: (value) => sql`to_char(${value}, 'YYYY-MM-DD')`,
});

const instantPattern = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?$/;

/** An instant, stored in UTC to the millisecond; `2026-11-14T09:30:00.000Z` in server code and on the wire. */
export const datetimeKind = defineKind('datetime', {
  column: () => 'timestamptz(3)',
  backfill: () => 'now()',
  cast(value) {
    if (isAbsent(value)) return null;
    if (value instanceof Date) return instant(value);
    return parse(value);
  },
  /** A time without an offset is in the user's time zone; a date means its start, or its end for what ends something. */
  fromText(cell, field, notation) {
    if (notation === null) return cell.trim();
    const at = instantFromText(cell, inWords(cell, notation), field.spec?.ends !== undefined);
    if (at !== null) return new Date(at).toISOString();
    if (dayFromText(cell, inWords(cell, notation)) !== null) return dateKind.fromText(cell, field, notation);
    const given = shorten(cell);
    throw new BadValue(text('"{given}" is not a date and time. Write it as 2026-11-14T09:30:00Z.', { given }));
  },
  fromCell: (cell) => (cell === null ? null : cellToInstant(cell as string)),
  cellToJson: (cell) => `"${cellToInstant(cell as string)}"`,
  wire: 'instant',
  jsonSql: (value) => sql`to_jsonb(to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  nameSql: (value) => sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD HH24:MI')`,
  isSame: (left, right) => Date.parse(String(left)) === Date.parse(String(right)),
});

function parse(value: unknown): string {
  const match = typeof value === 'string' ? instantPattern.exec(value) : null;
  if (match === null) throw new BadValue('Must be a date and time such as 2026-11-14T09:30:00Z.');
  const [given, offset] = match;
  if (offset === undefined) throw new BadValue('Must end in Z or an offset such as +02:00.');
  const milliseconds = parseInstant(given);
  if (milliseconds !== null) return instant(new Date(milliseconds));
  if (parseInstant(given.replace(offset, 'Z')) !== null) throw new BadValue(`${offset} is not an offset from UTC.`);
  throw new BadValue(text('{given} is not a time of the calendar.', { given }));
}

function instant(date: Date): string {
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) throw new BadValue('Must be in a year from 1 to 9999.');
  return date.toISOString();
}

/** PostgreSQL writes `2026-11-14 09:30:00.5+00` in a session whose time zone is UTC. */
function cellToInstant(cell: string): string {
  if (!cell.endsWith('+00') || cell[10] !== ' ') return parse(cell.replace(/([+-]\d{2})$/, '$1:00'));
  const fraction = cell.slice(20, -3);
  return `${cell.slice(0, 10)}T${cell.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

function shorten(cell: string): string {
  return cell.trim().slice(0, 60);
}

/** `21 Dec` and `tomorrow` go by today; `1.5` in a file is a number and no day of this year. */
function inWords(cell: string, { today, ...notation }: TextNotation): TextNotation {
  return today !== undefined && /\p{L}/u.test(cell) ? { ...notation, today } : notation;
}
