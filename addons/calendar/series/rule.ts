import { RRuleTemporal } from 'rrule-temporal';

/** The weekdays of an RRULE, Monday first. */
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];

/** The recurrence of a meeting, as entered by a user. */
export interface Rhythm {
  readonly frequency: 'daily' | 'weekly' | 'monthly' | 'yearly';
  readonly interval: number;
  /** `MO,WE`; for weekly recurrence. */
  readonly weekdays: string | null;
  readonly monthly_by: 'day' | 'weekday';
  readonly ending: 'never' | 'until' | 'count';
  readonly until: string | null;
  readonly count: number | null;
  /** The first day, `YYYY-MM-DD`. */
  readonly first_on: string;
}

/** The recurrence as an RRULE of RFC 5545, over days: the time of day is that of the meetings. */
export function ruleOf(rhythm: Rhythm): string {
  const parts = [`FREQ=${rhythm.frequency.toUpperCase()}`];
  if (rhythm.interval > 1) parts.push(`INTERVAL=${rhythm.interval}`);
  if (rhythm.frequency === 'weekly') parts.push(`BYDAY=${weekdaysIn(rhythm).join(',')}`);
  if (rhythm.frequency === 'monthly') parts.push(monthlyPart(rhythm));
  if (rhythm.ending === 'until' && rhythm.until) parts.push(`UNTIL=${compact(rhythm.until)}T000000Z`);
  if (rhythm.ending === 'count' && rhythm.count) parts.push(`COUNT=${rhythm.count}`);
  return parts.join(';');
}

/** The days between two of them, both included, on which a series takes place. */
export function daysOf(rule: string, firstOn: string, from: string, to: string): readonly string[] {
  const series = new RRuleTemporal({ rruleString: `DTSTART:${compact(firstOn)}T000000Z\nRRULE:${rule}` });
  const start = from < firstOn ? firstOn : from;
  return series.between(new Date(start), new Date(to), true).map((at) => at.toPlainDate().toString());
}

export function weekdayOf(day: string): Weekday {
  return weekdays[(new Date(day).getUTCDay() + 6) % 7] as Weekday;
}

/** A weekly rule without days would never occur: then it uses the weekday of its first day. */
function weekdaysIn({ weekdays: said, first_on: first }: Rhythm): readonly string[] {
  const chosen = new Set((said ?? '').split(','));
  const known = weekdays.filter((day) => chosen.has(day));
  return known.length > 0 ? known : [weekdayOf(first)];
}

/**
 * By weekday it is, for example, the second Tuesday; a fifth one becomes the last of its month, which every month has.
 */
function monthlyPart({ monthly_by: by, first_on: first }: Rhythm): string {
  const day = Number(first.slice(8));
  if (by === 'day') return `BYMONTHDAY=${day}`;
  const nth = Math.ceil(day / 7);
  return `BYDAY=${nth === 5 ? -1 : nth}${weekdayOf(first)}`;
}

function compact(day: string): string {
  return day.replaceAll('-', '');
}
