import { invalidArgs, isDate } from '@kontor/protocol';

/** Days from the first up to, but not with, the last. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}
export type RangeScale = 'day' | 'week' | 'month' | 'agenda' | 'quarter' | 'year';

const dayMs = 86_400_000;

/** The days asked for; without a word about it, those that the scale shows around today. */
export function visibleRange(
  asked: { readonly from: string | null; readonly to: string | null },
  scale: RangeScale,
  today: string,
): DayRange {
  const usual = usualRange(scale, today);
  const from = asked.from === null ? usual.from : dayOf(asked.from, 'from');
  const to = asked.to === null ? (asked.from === null ? usual.to : shift(from, spanOf(usual))) : dayOf(asked.to, 'to');
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
  const [year, month] = today.split('-').map(Number) as [number, number];
  switch (scale) {
    case 'day':
      return { from: today, to: shift(today, 1) };
    case 'week': {
      const from = mondayOf(today);
      return { from, to: shift(from, 7) };
    }
    case 'year':
      return { from: `${pad(year, 4)}-01-01`, to: `${pad(year + 1, 4)}-01-01` };
    case 'quarter': {
      const first = Math.floor((month - 1) / 3) * 3;
      return { from: firstOf(year, first), to: firstOf(year, first + 3) };
    }
    case 'agenda':
      return { from: today, to: shift(today, 31) };
    default: {
      // A month is drawn in whole weeks: six of them always suffice.
      const from = mondayOf(firstOf(year, month - 1));
      return { from, to: shift(from, 42) };
    }
  }
}

function firstOf(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

function mondayOf(day: string): string {
  return shift(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

function shift(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

function spanOf({ from, to }: DayRange): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
