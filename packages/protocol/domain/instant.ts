const dateText = /^(\d{4})-(\d{2})-(\d{2})$/;
const instantText = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})$/;
const dayMs = 86_400_000;

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const match = dateText.exec(text);
  if (match === null || match[1] === '0000') return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Milliseconds since 1970 of an ISO 8601 time with its offset; null for anything else. */
export function parseInstant(text: string): number | null {
  const match = instantText.exec(text);
  if (match === null || !isDate(match[1] as string)) return null;
  const [hours, minutes, seconds] = [match[2], match[3], match[4] ?? '0'].map(Number) as [number, number, number];
  const offset = parseOffset(match[6] as string);
  if (hours > 23 || minutes > 59 || seconds > 59 || offset === null) return null;
  const fraction = Number((match[5] ?? '').slice(0, 3).padEnd(3, '0'));
  const wall = Date.parse(`${match[1]}T00:00:00Z`) + ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction;
  return wall - offset;
}

function parseOffset(text: string): number | null {
  if (text === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  if (hours > 15 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** The first instant of a day in a time zone, where clocks may jump over midnight or pass it twice. */
export function startOfDay(date: string, tz: string): number {
  return instantAt(date, 0, tz);
}

/** The instant at which the clocks of a time zone show a time of a day: the first where they do so twice, the next where never. */
export function instantAt(date: string, seconds: number, tz: string): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + seconds * 1_000;
  const candidates = [wall - offsetAt(wall - dayMs, tz), wall - offsetAt(wall + dayMs, tz)].sort((a, b) => a - b);
  return candidates.find((instant) => instant + offsetAt(instant, tz) >= wall) ?? (candidates[1] as number);
}

/** The day it is at an instant in a time zone, `YYYY-MM-DD`. */
export function dateIn(tz: string, instant: Date): string {
  return new Date(instant.getTime() + offsetAt(instant.getTime(), tz)).toISOString().slice(0, 10);
}

function offsetAt(instant: number, tz: string): number {
  if (tz === 'UTC') return 0;
  const part: Record<string, number> = {};
  for (const { type, value } of formatterFor(tz).formatToParts(instant)) part[type] = Number(value);
  const { year, month, day, hour, minute, second } = part as Record<
    'year' | 'month' | 'day' | 'hour' | 'minute' | 'second',
    number
  >;
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute, second);
  return wall.getTime() - Math.floor(instant / 1000) * 1000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(tz: string): Intl.DateTimeFormat {
  let formatter = formatters.get(tz);
  if (formatter === undefined) {
    formatter = makeFormatter(tz);
    formatters.set(tz, formatter);
  }
  return formatter;
}

/** A zone that this runtime does not know must not make every filter of its owner fail. */
function makeFormatter(tz: string): Intl.DateTimeFormat {
  const options = {
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const;
  try {
    return new Intl.DateTimeFormat('en', { ...options, timeZone: tz });
  } catch {
    return new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  }
}
