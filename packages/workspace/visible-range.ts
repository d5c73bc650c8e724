import { addDays, addMonths, daysBetween, invalidArgs, isDate, mondayOf } from '@kontor/protocol';

/** Days from the first up to, but not with, the last. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}
export type RangeScale = 'day' | 'week' | 'month' | 'agenda' | 'quarter' | 'year';

/** The days asked for; without a word about it, those that the scale shows around today. */
export function visibleRange(
  asked: { readonly from: string | null; readonly to: string | null },
  scale: RangeScale,
  today: string,
): DayRange {
  const usual = usualRange(scale, today);
  const from = asked.from === null ? usual.from : dayOf(asked.from, 'from');
  const to =
    asked.to === null
      ? asked.from === null
        ? usual.to
        : addDays(from, daysBetween(usual.from, usual.to))
      : dayOf(asked.to, 'to');
  if (from < to) return { from, to };
  throw invalidArgs('from must be before to.', { field: 'to' });
}

/** A time is taken for its day. */
function dayOf(text: string, name: 'from' | 'to'): string {
  const day = text.slice(0, 10);
  if (isDate(day) && (text.length === 10 || text[10] === 'T')) return day;
  throw invalidArgs(`${name} must be a day such as 2026-11-14.`, { field: name });
}

function usualRange(scale: RangeScale, today: string): DayRange {
  const month = `${today.slice(0, 7)}-01`;
  switch (scale) {
    case 'day':
      return { from: today, to: addDays(today, 1) };
    case 'week':
      return { from: mondayOf(today), to: addDays(mondayOf(today), 7) };
    case 'year': {
      const from = `${today.slice(0, 4)}-01-01`;
      return { from, to: addMonths(from, 12) };
    }
    case 'quarter': {
      const from = addMonths(month, -((Number(month.slice(5, 7)) - 1) % 3));
      return { from, to: addMonths(from, 3) };
    }
    case 'agenda':
      return { from: today, to: addDays(today, 31) };
    default:
      // A month is drawn in whole weeks: six of them always suffice.
      return { from: mondayOf(month), to: addDays(mondayOf(month), 42) };
  }
}
