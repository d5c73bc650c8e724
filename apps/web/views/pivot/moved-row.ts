import { addDays, addMonths, bucketOf, daysBetween, type GroupRow, type Period, rangeOf } from '../../door/index.ts';

/** Shifts a row to the dates of another period, so that both are at the same position in the table. */
export function movedRow(row: GroupRow, from: Period, to: Period): GroupRow {
  const moved = Object.entries(row).map(([key, value]) => {
    const granularity = key.split(':')[1] ?? '';
    const isBucket = typeof value === 'string' && ['day', 'week', 'month', 'quarter', 'year'].includes(granularity);
    return [key, isBucket ? movedBucket(value, granularity, from, to) : value] as const;
  });
  return Object.fromEntries(moved) as GroupRow;
}

function movedBucket(bucket: string, granularity: string, from: Period, to: Period): string {
  const start = rangeOf(bucket)?.[0];
  if (start === undefined) return bucket;
  // Weeks do not start with months, so they are shifted by whole weeks.
  const isByMonth = from.from.slice(8) === to.from.slice(8) && granularity !== 'week';
  const day = isByMonth
    ? addMonths(start, monthsOf(to.from) - monthsOf(from.from))
    : addDays(start, granularity === 'week' ? wholeWeeks(from, to) : daysBetween(from.from, to.from));
  return bucketOf(day, granularity) ?? bucket;
}

function monthsOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
}

function wholeWeeks(from: Period, to: Period): number {
  return Math.round(daysBetween(from.from, to.from) / 7) * 7;
}
