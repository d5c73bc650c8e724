import { addDays, addMonths, type Domain, fieldType, startOfDay, startOfWeek, weekOf } from '@kontor/protocol';
import { timeZone, weekRule } from '../i18n/dates.ts';
import { toLocalInput } from '../i18n/local-time.ts';

/** The `read_group` bucket of a date or datetime, in the user's time zone. */
export function bucketOf(value: unknown, granularity: string): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const local = value.length > 10 ? toLocalInput(value) : value;
  const day = local.slice(0, 10);
  switch (granularity) {
    case 'year':
      return day.slice(0, 4);
    case 'quarter':
      return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
    case 'month':
      return day.slice(0, 7);
    case 'week':
      return weekOf(day, weekRule());
    case 'hour':
      return local.slice(0, 13);
    default:
      return day;
  }
}

/** The conditions that match a bucket of a date field. */
export function bucketDomain(field: string, type: string, bucket: string): Domain {
  const range = rangeOf(bucket);
  if (!range) return [[field, '=', bucket]];
  const edge = (day: string) => (fieldType(type).isInstant ? new Date(startOfDay(day, timeZone())).toISOString() : day);
  return [
    [field, '>=', edge(range[0])],
    [field, '<', edge(range[1])],
  ];
}

/** The first day of a bucket and the first day after it; null for an hour. */
export function rangeOf(bucket: string): readonly [from: string, to: string] | null {
  const [, year = '', kind = '', rest = ''] = /^(\d{4})(?:-([QW]?)(\d[^T]*))?$/.exec(bucket) ?? [];
  if (year === '') return null;
  const first = `${year}-01-01`;
  if (rest === '') return [first, addMonths(first, 12)];
  if (kind === 'Q') return [addMonths(first, Number(rest) * 3 - 3), addMonths(first, Number(rest) * 3)];
  if (kind === 'W') {
    const from = startOfWeek(year, Number(rest), weekRule());
    return [from, addDays(from, 7)];
  }
  const from = `${year}-${rest}`;
  return rest.length === 2 ? [`${from}-01`, addMonths(`${from}-01`, 1)] : [from, addDays(from, 1)];
}
