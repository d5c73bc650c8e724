import type { Domain } from '@kontor/protocol';
import { fromLocalInput, toLocalInput } from '../../i18n/local-time.ts';

/** The group of `read_group` that a date or an instant falls into, in the person's time zone. */
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
      return weekOf(day);
    case 'hour':
      return local.slice(0, 13);
    default:
      return day;
  }
}

/** The conditions that a group of a date field stands for. */
export function bucketDomain(field: string, type: string, bucket: string): Domain {
  const range = rangeOf(bucket);
  if (!range) return [[field, '=', bucket]];
  const edge = (day: string) => (type === 'datetime' ? (fromLocalInput(`${day}T00:00`) ?? day) : day);
  return [
    [field, '>=', edge(range[0])],
    [field, '<', edge(range[1])],
  ];
}

function rangeOf(bucket: string): readonly [from: string, to: string] | null {
  const [, year = '', rest = ''] = /^(\d{4})-?(.*)$/.exec(bucket) ?? [];
  const at = Number(year);
  if (year === '') return null;
  if (rest === '') return [isoDay(at, 0, 1), isoDay(at + 1, 0, 1)];
  if (rest.startsWith('Q')) {
    const month = (Number(rest.slice(1)) - 1) * 3;
    return [isoDay(at, month, 1), isoDay(at, month + 3, 1)];
  }
  if (rest.startsWith('W')) {
    const monday = mondayOf(at, Number(rest.slice(1)));
    return [isoDay(at, 0, monday), isoDay(at, 0, monday + 7)];
  }
  const [month = 1, day] = rest.split('-').map(Number);
  if (rest.includes('T')) return null;
  return day === undefined
    ? [isoDay(at, month - 1, 1), isoDay(at, month, 1)]
    : [isoDay(at, month - 1, day), isoDay(at, month - 1, day + 1)];
}

function isoDay(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

/** The day of January on which an ISO week begins; the week with the fourth is the first. */
function mondayOf(year: number, week: number): number {
  const weekday = (new Date(Date.UTC(year, 0, 4)).getUTCDay() + 6) % 7;
  return 4 - weekday + (week - 1) * 7;
}

function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  // The year of a week is the year of its Thursday.
  date.setUTCDate(date.getUTCDate() + 3 - ((date.getUTCDay() + 6) % 7));
  const year = date.getUTCFullYear();
  const first = Date.UTC(year, 0, 1);
  const week = Math.floor((date.getTime() - first) / 604_800_000) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}
