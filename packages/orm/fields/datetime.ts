import { parseInstant, text } from '@kontor/protocol';
import { BadValue, type FieldKind } from './kind.ts';
import { isAbsent } from './text-check.ts';

const shape = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?$/;

/** An instant, kept in UTC to the millisecond; `2026-11-14T09:30:00.000Z` in server code and on the wire. */
export const datetimeKind: FieldKind = {
  column: () => 'timestamptz(3)',
  cast(value) {
    if (isAbsent(value)) return null;
    if (value instanceof Date) return instant(value);
    return parse(value);
  },
  toParameter: (value) => value,
  fromCell: (cell) => (cell === null ? null : cellToInstant(cell as string)),
  cellToJson: (cell) => `"${cellToInstant(cell as string)}"`,
  wire: 'instant',
  isEmpty: isAbsent,
};

function parse(value: unknown): string {
  const match = typeof value === 'string' ? shape.exec(value) : null;
  if (match === null) throw new BadValue('Give a date and time as 2026-11-14T09:30:00Z.');
  const [given, offset] = match;
  if (offset === undefined) throw new BadValue('Give the time with Z or an offset such as +02:00.');
  const milliseconds = parseInstant(given);
  if (milliseconds !== null) return instant(new Date(milliseconds));
  if (parseInstant(given.replace(offset, 'Z')) !== null) throw new BadValue(`${offset} is not an offset from UTC.`);
  throw new BadValue(text('{given} is not a time of the calendar.', { given }));
}

function instant(date: Date): string {
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) throw new BadValue('Give a time in a year from 1 to 9999.');
  return date.toISOString();
}

/** PostgreSQL writes `2026-11-14 09:30:00.5+00` in a session whose time zone is UTC. */
function cellToInstant(cell: string): string {
  if (!cell.endsWith('+00') || cell[10] !== ' ') return parse(cell.replace(/([+-]\d{2})$/, '$1:00'));
  const fraction = cell.slice(20, -3);
  return `${cell.slice(0, 10)}T${cell.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}
