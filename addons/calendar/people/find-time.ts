import { type ActionCall, addDays, dateIn, type Env, UserError } from '@kontor/addon';
import { beginOf } from '../series/times.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const stepMs = 15 * 60_000;
/** How far ahead a time is looked for. */
const days = 60;
/** Working hours, in the time zone of the meeting. */
const [opens, closes] = [9, 18];

export interface Span {
  readonly start: number;
  readonly stop: number;
}

/** Moves a meeting to the next time at which all its colleagues are free, within working hours. */
export async function findTime({ env, records }: ActionCall<'calendar.event'>): Promise<void> {
  const event = await records.only('start', 'stop', 'all_day', 'tz', 'user_ids.id');
  if (event.all_day) throw new UserError('An all-day meeting has no time to look for.');
  const length = Date.parse(event.stop) - Date.parse(event.start);
  const from = Math.max(Date.parse(event.start), env.now.getTime());
  const people = { users: event.user_ids.map(({ id }) => id), guests: [] };
  const busy = await busySpans(env, people, { from, until: searchedUntil(from), except: event.id });
  const start = firstFree(busy, { from, length, tz: event.tz });
  if (start === null) throw new UserError('There is no time in the next 60 days at which all colleagues are free.');
  const at = (time: number) => new Date(time).toISOString();
  await env.model('calendar.event').write([event.id], { start: at(start), stop: at(start + length) });
}

export function searchedUntil(from: number): number {
  return from + days * dayMs;
}

export interface Invited {
  readonly users: readonly number[];
  readonly guests: readonly number[];
}

/** A time at which people are busy, and nothing else about their meeting. */
export interface BusySpan extends Span, Invited {}

interface Period {
  readonly from: number;
  readonly until: number;
  /** The meeting itself. */
  readonly except: number;
}

/**
 * When people are busy. For colleagues as the server: a private meeting tells when its people are busy, and nothing else. Guests
 * are busy in the meetings that the reader may see.
 */
export async function busySpans(env: Env, { users, guests }: Invited, period: Period): Promise<readonly BusySpan[]> {
  const none: Awaited<ReturnType<typeof meetingsIn>> = [];
  const [own, theirs] = await Promise.all([
    users.length === 0 ? none : meetingsIn(env.sudo(), ['user_ids', 'in', users], period),
    guests.length === 0 ? none : meetingsIn(env, ['partner_ids', 'in', guests], period),
  ]);
  const known = new Set(own.map(({ id }) => id));
  const seen = new Set(theirs.map(({ id }) => id));
  return [...own, ...theirs.filter(({ id }) => !known.has(id))].flatMap((row) => {
    const busy = {
      users: row.user_ids.filter((user) => users.includes(user) && !row.declined_ids.includes(user)),
      guests: row.partner_ids.filter((guest) => seen.has(row.id) && guests.includes(guest)),
    };
    if (busy.users.length + busy.guests.length === 0) return [];
    const edge = (start: string) => beginOf({ start, all_day: row.all_day, tz: row.tz });
    return { ...busy, start: edge(row.start), stop: edge(row.stop) };
  });
}

/** Bounds what a request with many people can cost. */
const mostMeetings = 5_000;

function meetingsIn(env: Env, who: readonly ['user_ids' | 'partner_ids', 'in', readonly number[]], period: Period) {
  return env
    .model('calendar.event')
    .searchRead(
      [
        who,
        ['id', '!=', period.except],
        ['shadow_of_id', '=', null],
        ['stop', '>', new Date(period.from - dayMs).toISOString()],
        ['start', '<', new Date(period.until).toISOString()],
      ],
      ['start', 'stop', 'all_day', 'tz', 'user_ids', 'partner_ids', 'declined_ids'],
      { order: 'start, id', limit: mostMeetings },
    );
}

interface Wanted {
  readonly from: number;
  readonly length: number;
  readonly tz: string;
}

/** The first begin on a working day, in quarters of an hour, at which nothing overlaps. */
export function firstFree(busy: readonly Span[], { from, length, tz }: Wanted): number | null {
  const first = dateIn(tz, new Date(from));
  for (let day = 0; day < days; day++) {
    const date = addDays(first, day);
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    // Clocks change at night and on weekends: on working days nine o'clock is nine hours after midnight.
    const midnight = beginOf({ start: `${date}T00:00:00.000Z`, all_day: true, tz });
    const begin = Math.ceil(Math.max(midnight + opens * hourMs, from) / stepMs) * stepMs;
    for (let start = begin; start + length <= midnight + closes * hourMs; start += stepMs) {
      if (!busy.some((span) => span.start < start + length && span.stop > start)) return start;
    }
  }
  return null;
}
