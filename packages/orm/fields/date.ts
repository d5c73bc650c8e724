import { text } from '@kontor/protocol';
import { isCalendarDay } from './calendar.ts';
import { BadValue, type FieldKind } from './kind.ts';
import { isAbsent } from './text-check.ts';

/** A calendar day, `YYYY-MM-DD`, without a time zone. */
export const dateKind: FieldKind = {
  column: () => 'date',
  cast(value) {
    if (isAbsent(value)) return null;
    const match = typeof value === 'string' ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) : null;
    if (match === null) throw new BadValue('Give a date as YYYY-MM-DD.');
    if (!isCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]))) {
      throw new BadValue(text('{given} is not a day of the calendar.', { given: match[0] }));
    }
    return match[0];
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell,
  cellToJson: (cell) => `"${cell}"`,
  wire: 'plain',
  isEmpty: isAbsent,
};
