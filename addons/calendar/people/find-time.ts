import { type ActionCall, type Env, UserError, usualCalendar, type WorkCalendar, workingTime } from '@kontor/addon';
import { beginOf } from '../series/times.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const stepMs = 15 * 60_000;
/** How far ahead a time is looked for. */
const days = 60;

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
  const users = event.user_ids.map(({ id }) => id);
  const period = { from, until: searchedUntil(from), except: event.id };
  const busy = await busySpans(env, { users, guests: [] }, period);
  const calendars = await calendarsOf(env, users, event.tz);
  const start = firstFree(busy, { from, length, calendars });
  if (start === null) throw new UserError('There is no time in the next 60 days at which all colleagues are free.');
  const at = (time: number) => new Date(time).toISOString();
  await env.model('calendar.event').write([event.id], { start: at(start), stop: at(start + length) });
}

/** As the server: when a colleague works is all that is used. */
export async function calendarsOf(env: Env, people: readonly number[], tz: string): Promise<readonly WorkCalendar[]> {
  const users = await env.sudo().model('core.user').read(people, ['work_calendar']);
  const all = users.map(({ work_calendar: own }) => (own as WorkCalendar | null) ?? usualCalendar(tz));
  // Most people work as their company does: each time is looked at once.
  const different = new Map(all.map((calendar) => [JSON.stringify(calendar), calendar]));
  return different.size === 0 ? [usualCalendar(tz)] : [...different.values()];
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
  /** When the colleagues work. */
  readonly calendars: readonly WorkCalendar[];
}

/** The first begin, in quarters of an hour, at which all work for so long and nothing overlaps. */
export function firstFree(busy: readonly Span[], { from, length, calendars }: Wanted): number | null {
  const needed = Math.max(length, stepMs);
  const all = [...calendars];
  const isWork = (start: number) => {
    const off = all.findIndex((calendar) => workingTime(calendar, start, start + needed) < needed);
    // Who does not work now will not in a quarter of an hour: asked first, one question answers most nights and leaves.
    if (off > 0) all.unshift(...all.splice(off, 1));
    return off < 0;
  };
  for (let start = Math.ceil(from / stepMs) * stepMs; start < searchedUntil(from); start += stepMs) {
    const isFree = !busy.some((span) => span.start < start + length && span.stop > start);
    if (isFree && isWork(start)) return start;
  }
  return null;
}
