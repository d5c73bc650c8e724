import { isDate, text } from '@kontor/protocol';
import { BadValue, type FieldKind } from './kind.ts';
import { isAbsent } from './text-check.ts';

/** A calendar day, `YYYY-MM-DD`, without a time zone. */
export const dateKind: FieldKind = {
  column: () => 'date',
  cast(value) {
    if (isAbsent(value)) return null;
    if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value))
      throw new BadValue('Give a date as YYYY-MM-DD.');
    if (!isDate(value)) throw new BadValue(text('{given} is not a day of the calendar.', { given: value }));
    return value;
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell,
  cellToJson: (cell) => `"${cell}"`,
  wire: 'plain',
  isEmpty: isAbsent,
};
