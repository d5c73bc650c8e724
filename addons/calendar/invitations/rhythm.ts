import { weekdays } from '../series/rule.ts';

const frequencies = { DAILY: 'daily', WEEKLY: 'weekly', MONTHLY: 'monthly', YEARLY: 'yearly' } as const;
const known = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'COUNT', 'UNTIL', 'BYMONTHDAY', 'BYMONTH', 'WKST']);

/** A rule of RFC 5545 as a series of ours; null for one that we cannot keep, of which the first meeting is entered. */
export function rhythmIn(rule: string) {
  const parts = new Map(rule.split(';').flatMap((part) => (part.includes('=') ? [split(part)] : [])));
  const frequency = frequencies[(parts.get('FREQ') ?? '') as keyof typeof frequencies];
  if (!frequency || [...parts.keys()].some((name) => !known.has(name))) return null;
  const days = parts.get('BYDAY')?.split(',') ?? [];
  const isOnWeekdays = days.every((day) => (weekdays as readonly string[]).includes(day));
  if (days.length > 0 && frequency === 'weekly' && !isOnWeekdays) return null;
  if (days.length > 0 && (frequency === 'daily' || frequency === 'yearly')) return null;
  if (frequency === 'monthly' && (days.length > 1 || parts.get('BYMONTHDAY')?.includes(','))) return null;
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const count = Number(parts.get('COUNT') ?? 0);
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(parts.get('UNTIL') ?? '') ?? [];
  if (!Number.isInteger(interval) || interval < 1 || interval > 99 || !Number.isInteger(count) || count > 730)
    return null;
  return {
    ...{ frequency, interval, weekdays: frequency === 'weekly' && days.length > 0 ? days.join(',') : null },
    monthly_by: frequency === 'monthly' && days.length > 0 ? ('weekday' as const) : ('day' as const),
    ending: count > 0 ? ('count' as const) : year ? ('until' as const) : ('never' as const),
    ...(count > 0 ? { count } : {}),
    ...(year ? { until: `${year}-${month}-${day}` } : {}),
  };
}

function split(part: string): readonly [string, string] {
  const at = part.indexOf('=');
  return [part.slice(0, at).toUpperCase(), part.slice(at + 1).toUpperCase()];
}
