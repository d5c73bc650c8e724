import { addDays, addMonths, daysBetween, startOfMonth } from '@kontor/addon';
import { daysOf, type Rhythm, ruleOf, type Weekday, weekdayOf, weekdays } from './rule.ts';

/** Meetings are created a year ahead, but at most this many: a daily series is extended day by day. */
const yearAhead = 366;
const mostAhead = 150;
const most = 730;

/** The days of a series to create by now, and the day until which it is complete. */
export function daysToMake(
  rhythm: Rhythm,
  today: string,
): { readonly days: readonly string[]; readonly until: string } {
  const horizon = addDays(today > rhythm.first_on ? today : rhythm.first_on, yearAhead);
  const all = daysOf(ruleOf(rhythm), rhythm.first_on, rhythm.first_on, horizon);
  const past = all.filter((day) => day < today).length;
  const days = all.slice(0, Math.min(most, past + mostAhead));
  return { days, until: days.length < all.length ? (days.at(-1) as string) : horizon };
}

/** The rhythm after one of its meetings was moved to another day: its pattern follows that day. */
export function movedRhythm(rhythm: Rhythm, from: string, to: string): Rhythm {
  const by = daysBetween(from, to);
  if (by === 0) return rhythm;
  const { first_on: first } = rhythm;
  if (rhythm.frequency === 'daily') return { ...rhythm, first_on: addDays(first, by) };
  if (rhythm.frequency === 'weekly') return movedWeeks(rhythm, from, to);
  if (rhythm.frequency === 'yearly') return { ...rhythm, first_on: `${first.slice(0, 5)}${to.slice(5)}` };
  const month = startOfMonth(addMonths(first, monthOf(to) - monthOf(from)));
  const pattern = ruleOf({ ...rhythm, first_on: to, ending: 'never', interval: 1 });
  const [day = to] = daysOf(pattern, month, month, addDays(month, 400));
  return { ...rhythm, first_on: day };
}

/** With several weekdays, the moved one is replaced; a move by weeks applies to all. */
function movedWeeks(rhythm: Rhythm, from: string, to: string): Rhythm {
  const by = daysBetween(from, to);
  const said = (rhythm.weekdays ?? '').split(',').filter((day) => day !== '');
  const isOne = said.length <= 1 || Math.abs(by) >= 7;
  const moved = (day: Weekday): Weekday => weekdays[(weekdays.indexOf(day) + (((by % 7) + 7) % 7)) % 7] as Weekday;
  const days = said.map((day) => (isOne || day === weekdayOf(from) ? moved(day as Weekday) : day));
  const first =
    isOne || weekdayOf(rhythm.first_on) === weekdayOf(from) ? addDays(rhythm.first_on, by) : rhythm.first_on;
  return { ...rhythm, first_on: first, weekdays: [...new Set(days)].join(',') };
}

function monthOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}
