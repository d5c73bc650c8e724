import { type ActionCall, addDays, dateIn, type Env, UserError } from '@kontor/addon';
import { beginOf } from '../series/times.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const stepMs = 15 * 60_000;
/** How far ahead a time is looked for. */
const days = 60;
/** Working hours, in the time zone of the meeting. */
const [opens, closes] = [9, 18];

interface Span {
  readonly start: number;
  readonly stop: number;
}

/** Moves a meeting to the next time at which all its colleagues are free, within working hours. */
export async function findTime({ env, records }: ActionCall<'calendar.event'>): Promise<void> {
  const event = await records.only('start', 'stop', 'all_day', 'tz', 'user_ids.id');
  if (event.all_day) throw new UserError('An all-day meeting has no time to look for.');
  const length = Date.parse(event.stop) - Date.parse(event.start);
  const from = Math.max(Date.parse(event.start), env.now.getTime());
  const people = event.user_ids.map(({ id }) => id);
  const busy = await busySpans(env, event.id, people, from);
  const start = firstFree(busy, { from, length, tz: event.tz });
  if (start === null) throw new UserError('There is no time in the next 60 days at which all colleagues are free.');
  const at = (time: number) => new Date(time).toISOString();
  await env.model('calendar.event').write([event.id], { start: at(start), stop: at(start + length) });
}

/** As the server: a private meeting tells when its people are busy, and nothing else. */
async function busySpans(env: Env, id: number, people: readonly number[], from: number): Promise<readonly Span[]> {
  const rows = await env
    .sudo()
    .model('calendar.event')
    .searchRead(
      [
        ['id', '!=', id],
        ['shadow_of_id', '=', null],
        ['user_ids', 'in', people],
        ['stop', '>', new Date(from - dayMs).toISOString()],
        ['start', '<', new Date(from + days * dayMs).toISOString()],
      ],
      ['start', 'stop', 'all_day', 'tz', 'user_ids', 'declined_ids'],
    );
  return rows
    .filter((row) => row.user_ids.some((user) => people.includes(user) && !row.declined_ids.includes(user)))
    .map((row) => {
      if (!row.all_day) return { start: Date.parse(row.start), stop: Date.parse(row.stop) };
      const edge = (start: string) => beginOf({ start, all_day: true, tz: row.tz });
      return { start: edge(row.start), stop: edge(row.stop) };
    });
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
