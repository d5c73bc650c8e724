import { literal, type Sql, sql } from '@kontor/database';
import type { Granularity, WeekRule } from '@kontor/protocol';

interface Bucket {
  readonly step: string;
  /** As `to_char` writes the bucket's start. */
  readonly format: string;
}

const buckets: Readonly<Record<Granularity, Bucket>> = {
  hour: { step: '1 hour', format: 'YYYY-MM-DD"T"HH24' },
  day: { step: '1 day', format: 'YYYY-MM-DD' },
  week: { step: '7 days', format: 'YYYY-"W"WW' },
  month: { step: '1 month', format: 'YYYY-MM' },
  quarter: { step: '3 months', format: 'YYYY-"Q"Q' },
  year: { step: '1 year', format: 'YYYY' },
};

/** The start of the bucket of a local time. */
export function bucketStart(local: Sql, granularity: Granularity, weeks: WeekRule): Sql {
  const start = (at: Sql) => sql`date_trunc(${literal(granularity)}, ${at})`;
  if (granularity !== 'week' || weeks.start === 1) return start(local);
  // The database begins weeks on Mondays.
  const later = days(weeks.start - 1);
  return sql`(${start(sql`${local} - ${later}`)} + ${later})`;
}

export function bucketLabel(start: Sql, granularity: Granularity, weeks: WeekRule): Sql {
  // `WW` counts from January 1, here to the last day by which the week could still be the first one.
  const at = granularity === 'week' ? sql`${start} + ${days(7 - weeks.firstDays)}` : start;
  return sql`to_char(${at}, ${literal(buckets[granularity].format)})`;
}

function days(count: number): Sql {
  return sql`${literal(`${count} days`)}::interval`;
}

export function bucketEnd(start: Sql, granularity: Granularity): Sql {
  return sql`${start} + ${literal(buckets[granularity].step)}::interval`;
}

/** The start of the bucket that is `count` buckets after the one starting at `start`. */
export function bucketAfter(start: Sql, granularity: Granularity, count: Sql): Sql {
  return sql`(${start} + ${count} * ${literal(buckets[granularity].step)}::interval)`;
}

/** The number of buckets between two buckets. */
export function bucketsBetween(from: Sql, to: Sql, granularity: Granularity): Sql {
  if (granularity === 'hour') return sql`(extract(epoch from ${to} - ${from}) / 3600)::int4`;
  if (granularity === 'day') return sql`((${to})::date - (${from})::date)`;
  if (granularity === 'week') return sql`(((${to})::date - (${from})::date) / 7)`;
  const months = (at: Sql) => sql`(extract(year from ${at}) * 12 + extract(month from ${at}))::int4`;
  const apart = sql`(${months(to)} - ${months(from)})`;
  return granularity === 'month' ? apart : sql`(${apart} / ${literal(granularity === 'quarter' ? '3' : '12')}::int4)`;
}

/**
 * The instant of a local time, as in the clock of `protocol`: the first one if a local time occurs twice. The database
 * uses the later one, which would lose an hour.
 */
export function firstInstant(local: Sql, tz: string): Sql {
  const later = sql`(${local}) at time zone ${tz}::text`;
  return sql`(select min(i) from (select ${later} as c) c, unnest(array[c, c - interval '30 minutes', c - interval '1 hour', c - interval '2 hours']) i where i = c or i at time zone ${tz}::text = ${local})`;
}
