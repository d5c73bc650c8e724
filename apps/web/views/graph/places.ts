import {
  type Arch,
  addDays,
  bucketOf,
  dateIn,
  formatGroup,
  type GroupRow,
  locale,
  type Period,
  rangeOf,
  timeZone,
} from '../../door/index.ts';

/** A point on the axis, before it has figures. */
export interface Place {
  /** The value of the group. */
  readonly value: unknown;
  readonly label: string;
  readonly short: string;
}

/** With more, the axis shows only the points that have records. */
const mostBuckets = 5_000;

/** Every bucket from the first to the last, including empty ones; none if there are too many. */
export function bucketsBetween(first: string, last: string): readonly string[] {
  const buckets: string[] = [];
  const granularity = granularityOf(first);
  for (let at: string | null = first; at !== null && at <= last; ) {
    buckets.push(at);
    const next: string | undefined = rangeOf(at)?.[1];
    if (next === undefined || buckets.length > mostBuckets) return [];
    at = bucketOf(next, granularity);
  }
  return buckets;
}

export function bucketsOf({ from, to }: Period, granularity: string): readonly string[] {
  const first = bucketOf(from, granularity);
  const last = bucketOf(addDays(to, -1), granularity);
  return first === null || last === null ? [] : bucketsBetween(first, last);
}

function granularityOf(bucket: string): string {
  if (bucket.includes('T')) return 'hour';
  if (bucket.includes('Q')) return 'quarter';
  if (bucket.includes('W')) return 'week';
  return { 4: 'year', 7: 'month' }[bucket.length] ?? 'day';
}

export function today(): string {
  return dateIn(timeZone(), new Date());
}

/**
 * The points of a date axis: the selected period, or from the first record to the last. Records without a date come
 * last.
 */
export function datePlaces(
  rows: readonly GroupRow[],
  axis: string,
  { arch, period }: { readonly arch: Arch; readonly period: Period | null },
): readonly Place[] {
  const found = [
    ...new Set(rows.flatMap((row) => (typeof row[axis] === 'string' ? [row[axis] as string] : []))),
  ].sort();
  const granularity = axis.split(':')[1] ?? 'month';
  const whole = period ? bucketsOf(period, granularity) : [];
  const [first, last] = [found[0], found.at(-1)];
  const filled = first === undefined || last === undefined ? [] : bucketsBetween(first, last);
  const buckets = whole.length > 0 ? whole : filled.length > 0 ? filled : found;
  const places = buckets.map((bucket, at) => ({
    value: bucket,
    label: formatGroup(arch, axis, { [axis]: bucket }),
    short: shortBucket(bucket, at === 0),
  }));
  const none = rows.some((row) => row[axis] === null) ? [placeOf(arch, axis, { [axis]: null })] : [];
  return [...places, ...none];
}

/** The points of any other axis, in the order of the server. */
export function plainPlaces(rows: readonly GroupRow[], axis: string, arch: Arch): readonly Place[] {
  return rows.map((row) => placeOf(arch, axis, row));
}

function placeOf(arch: Arch, axis: string, row: Readonly<Record<string, unknown>>): Place {
  const label = formatGroup(arch, axis, row);
  return { value: row[axis] ?? null, label, short: label };
}

/** `Jan`, with the year at the beginning of a year. */
function shortBucket(bucket: string, isFirst: boolean): string {
  const [, year = '', rest = ''] = /^(\d{4})-?(.*)$/.exec(bucket) ?? [];
  if (rest === '') return year;
  const isStart = isFirst || /^(01|Q1|W01|01-01)$/.test(rest);
  if (/^[QW]/.test(rest)) return isStart ? `${rest} ${year}` : rest;
  if (rest.includes('T')) return `${rest.slice(-2)}:00`;
  const isMonth = rest.length === 2;
  const format = dayFormat(!isMonth, isMonth ? isStart : rest === '01-01');
  return format.format(new Date(`${isMonth ? `${bucket}-01` : bucket}T00:00:00Z`));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached: creating one takes longer than drawing a bar. */
function dayFormat(hasDay: boolean, hasYear: boolean): Intl.DateTimeFormat {
  const key = `${locale()} ${hasDay} ${hasYear}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale(), {
    month: 'short',
    ...(hasDay ? { day: 'numeric' } : {}),
    ...(hasYear ? { year: 'numeric' } : {}),
    timeZone: 'UTC',
  });
  formats.set(key, made);
  return made;
}
