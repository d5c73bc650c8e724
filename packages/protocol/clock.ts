import { isDate, startInUtc, toDay } from './calendar.ts';
import { lruCache } from './lru-cache.ts';

/**
 * Time zones, for server and browser. A *local time* is the time that clocks show, stored as the milliseconds since 1970 that it
 * would have in UTC.
 *
 * When clocks are set back, a local time occurs twice: the first one is used. When they are set forward, some local times do not
 * occur: they are shifted by the change, so half past two becomes half past three. (`compatible` of Temporal, RFC 5545.) An unknown
 * zone counts as UTC.
 * ```ts
 * const hourInBerlin = new Date(toLocal(Date.now(), 'Europe/Berlin')).getUTCHours();
 * ```
 */
export function toLocal(instant: number, tz: string): number {
  return instant + offsetAt(instant, tz);
}

/**
 * The instant of a local time: the first one if it occurs twice, shifted by the clock change if it does not occur.
 * ```ts
 * const nineInBerlin = fromLocal(Date.parse('2026-11-18T09:00Z'), 'Europe/Berlin');
 * ```
 */
export function fromLocal(local: number, tz: string): number {
  // No zone changes its clocks twice within two days.
  const candidates = [local - offsetAt(local - dayMs, tz), local - offsetAt(local + dayMs, tz)].sort((a, b) => a - b);
  return candidates.find((instant) => toLocal(instant, tz) >= local) ?? (candidates[1] as number);
}

/** The first instant of a day. */
export function startOfDay(day: string, tz: string): number {
  return fromLocal(startInUtc(day), tz);
}

/**
 * The date at an instant, `YYYY-MM-DD`; the instant may be ISO text, as in fields.
 * ```ts
 * const todayInTokyo = dateIn('Asia/Tokyo', new Date());
 * const dayOfOrder = dateIn('Europe/Berlin', '2026-11-17T23:30:00.000Z');
 * ```
 */
export function dateIn(tz: string, instant: Date | string): string {
  return toDay(toLocal(new Date(instant).getTime(), tz));
}

/**
 * The instant with the same local time on another day: nine o'clock stays nine o'clock across a clock change.
 * ```ts
 * const sameTimeNextWeek = (start: string) => onDay(start, addDays(dateIn('Europe/Berlin', start), 7), 'Europe/Berlin');
 * ```
 */
export function onDay(instant: string, day: string, tz: string): string {
  const local = toLocal(Date.parse(instant), tz);
  return new Date(fromLocal(startInUtc(day) + (local - startInUtc(toDay(local))), tz)).toISOString();
}

/**
 * Whether a text is a time zone (`Europe/Berlin`). Offsets such as `+02:00` are not: the database inverts their sign.
 * ```ts
 * export const zoneOr = (name: string) => (isTimeZone(name) ? name : 'UTC');
 * ```
 */
export function isTimeZone(name: string): boolean {
  return zoneFormat(name) !== null;
}

const instantText = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})$/;
const dayMs = 86_400_000;

/** Milliseconds since 1970 of an ISO 8601 time with its offset; null for anything else. */
export function parseInstant(text: string): number | null {
  const match = instantText.exec(text);
  if (match === null || !isDate(match[1] as string)) return null;
  const [hours, minutes, seconds] = [match[2], match[3], match[4] ?? '0'].map(Number) as [number, number, number];
  const offset = parseOffset(match[6] as string);
  if (hours > 23 || minutes > 59 || seconds > 59 || offset === null) return null;
  const fraction = Number((match[5] ?? '').slice(0, 3).padEnd(3, '0'));
  return startInUtc(match[1] as string) + ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction - offset;
}

function parseOffset(text: string): number | null {
  if (text === 'Z' || text === 'z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  if (hours > 15 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** The last offset of each zone: a server asks for the present again and again, and formatting a time is slow. */
const lastOffsets = lruCache<string, { readonly minute: number; readonly offset: number }>(1_000);
/** Since then clocks have been set at whole minutes. */
const wholeMinutesSince = Date.UTC(1973, 0);

function offsetAt(instant: number, tz: string): number {
  const format = tz === 'UTC' ? null : zoneFormat(tz);
  if (format === null) return 0;
  if (!(instant >= wholeMinutesSince)) return readOffset(format, instant);
  const minute = Math.floor(instant / 60_000);
  const last = lastOffsets.get(tz);
  if (last?.minute === minute) return last.offset;
  const offset = readOffset(format, instant);
  lastOffsets.set(tz, { minute, offset });
  return offset;
}

function readOffset(format: Intl.DateTimeFormat, instant: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instant)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour, minute, second } = part;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour ?? 0, minute, second);
  return local.getTime() - Math.floor(instant / 1000) * 1000;
}

const formats = lruCache<string, Intl.DateTimeFormat | null>(1_000);

function zoneFormat(tz: string): Intl.DateTimeFormat | null {
  const known = formats.get(tz);
  if (known !== undefined) return known;
  const made = makeFormat(tz);
  formats.set(tz, made);
  return made;
}

function makeFormat(tz: string): Intl.DateTimeFormat | null {
  if (!/^[A-Za-z]/.test(tz)) return null;
  try {
    return new Intl.DateTimeFormat('en', {
      timeZone: tz,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  } catch {
    return null;
  }
}
