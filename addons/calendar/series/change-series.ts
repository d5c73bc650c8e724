import { addDays, dateIn, type Env, UserError, type WriteValues } from '@kontor/addon';
import { tellMoved } from '../people/tell-people.ts';
import { daysToMake, movedRhythm } from './days.ts';
import { leftOut, makeOccurrences, rhythmFields, timesOn } from './make-occurrences.ts';
import { daysOf, type Rhythm, ruleOf } from './rule.ts';
import { firstDay, type Times, timeFields } from './times.ts';

export const scopes = { this: 'This meeting', following: 'This and the following', all: 'All of the series' } as const;
export type Scope = keyof typeof scopes;
type Values = WriteValues<'calendar.event'>;

/** Written by the series and not by a user: the attendees are not notified of each meeting. */
export function isFromSeries(values: object): boolean {
  return 'series_id' in values;
}

/** Applies a change of one meeting to others of its series; returns the values for the meeting itself. */
export async function changeOthers(env: Env, ids: readonly number[], values: Values, scope: Scope): Promise<Values> {
  const [id] = ids;
  if (id === undefined || ids.length > 1) throw new UserError('Choose one meeting of the series.');
  const [event] = await env.model('calendar.event').read([id], ['series_id', 'occurs_on', ...timeFields]);
  if (!event?.series_id || !event.occurs_on) return values;
  const { start, stop, all_day, tz, ...plain } = values;
  await writePlain(env, event.series_id, scope === 'all' ? null : event.occurs_on, id, plain);
  const isMoved = start !== undefined || stop !== undefined || tz !== undefined || all_day !== undefined;
  if (!isMoved) return values;
  const whole = all_day ?? event.all_day;
  const times = { start: start ?? event.start, stop: stop ?? event.stop, tz: tz ?? event.tz, all_day: whole };
  const seriesId = scope === 'all' ? event.series_id : await splitSeries(env, event.series_id, event.occurs_on);
  const day = await moveSeries(env, seriesId, { id, day: event.occurs_on, times });
  if (start !== undefined) await tellMoved(env, ids);
  return { ...values, ...timesOn(day, times), occurs_on: day, is_changed: false };
}

async function writePlain(env: Env, seriesId: number, after: string | null, except: number, plain: Values) {
  if (Object.keys(plain).length === 0) return;
  const events = env.model('calendar.event');
  for (const isChanged of [false, true]) {
    const ids = await events.search([
      ['series_id', '=', seriesId],
      ['id', '!=', except],
      ['is_changed', '=', isChanged],
      ...(after === null ? [] : [['occurs_on', '>', after] as const]),
    ]);
    if (ids.length > 0) await events.write(ids, { ...plain, series_id: seriesId });
  }
}

interface Moved {
  readonly id: number;
  /** The previous day of the meeting in the series. */
  readonly day: string;
  readonly times: Times;
}

/** Moves every meeting as one of them was moved: to the same time of day, on the days of the new pattern. */
async function moveSeries(env: Env, seriesId: number, { id, day, times }: Moved): Promise<string> {
  const { rhythm, left } = await readSeries(env, seriesId);
  const moved = movedRhythm(rhythm, day, firstDay(times));
  const today = dateIn('UTC', env.now);
  const before = daysToMake(rhythm, today).days;
  const { days: after, until } = daysToMake(moved, today);
  const dayFor = new Map(before.map((old, index) => [old, after[index]]));
  // As the server: the series can be changed only through its meetings.
  await env
    .sudo()
    .model('calendar.series')
    .write([seriesId], {
      ...{ first_on: moved.first_on, weekdays: moved.weekdays, tz: times.tz, made_until: until },
      left_out: left.map((one) => dayFor.get(one) ?? one),
    });
  const events = env.model('calendar.event');
  const own = await events.searchRead([['series_id', '=', seriesId]], ['occurs_on'], { order: 'occurs_on' });
  // Days of a series are unique: each meeting is removed from its day before another one takes it.
  await events.write(
    own.map((event) => event.id),
    { occurs_on: null, series_id: seriesId },
  );
  for (const event of own) {
    const target = dayFor.get(event.occurs_on ?? '');
    if (target === undefined && event.id !== id) await events.unlink([event.id]);
    else await events.write([event.id], occurrence(seriesId, target ?? day, times));
  }
  await makeOccurrences(env, seriesId);
  return dayFor.get(day) ?? firstDay(times);
}

function occurrence(seriesId: number, day: string, times: Times): Values {
  return {
    ...timesOn(day, times),
    ...{ all_day: times.all_day, tz: times.tz, series_id: seriesId, occurs_on: day, is_changed: false },
  };
}

async function readSeries(env: Env, seriesId: number) {
  // As the server: a series contains only times, and users who may read a meeting may read those.
  const [series] = await env
    .sudo()
    .model('calendar.series')
    .read([seriesId], [...rhythmFields, 'left_out']);
  if (!series) throw new UserError('This series no longer exists.');
  const { id: _, left_out: left, ...rhythm } = series;
  return { rhythm: rhythm as Rhythm, left: leftOut(left) };
}

/** Ends a series before a day; the meetings from that day on become a separate series, which is returned. */
export async function splitSeries(env: Env, seriesId: number, day: string): Promise<number> {
  const { rhythm, left } = await readSeries(env, seriesId);
  const earlier = daysOf(ruleOf(rhythm), rhythm.first_on, rhythm.first_on, addDays(day, -1)).length;
  if (earlier === 0) return seriesId;
  // As the server: as above.
  const series = env.sudo().model('calendar.series');
  const [old] = await series.read([seriesId], ['tz', 'made_until']);
  const rest = { ...rhythm, first_on: day, count: rhythm.count === null ? null : Math.max(1, rhythm.count - earlier) };
  const own = { tz: old?.tz ?? 'UTC', made_until: old?.made_until ?? null, left_out: left };
  const id = await series.create({ ...rest, ...own });
  await endSeries(env, seriesId, day);
  const events = env.model('calendar.event');
  const later = await events.search([
    ['series_id', '=', seriesId],
    ['occurs_on', '>=', day],
  ]);
  if (later.length > 0) await events.write(later, { series_id: id });
  return id;
}

/** A series that takes place until the day before. As the server: as above. */
export async function endSeries(env: Env, seriesId: number, day: string): Promise<void> {
  const end = { ending: 'until', until: addDays(day, -1), count: null } as const;
  await env.sudo().model('calendar.series').write([seriesId], end);
}

/** Changes the recurrence of a series: meetings on days that stay are kept, the others are deleted, and missing ones are created. */
export async function reshapeSeries(env: Env, seriesId: number): Promise<void> {
  const { rhythm } = await readSeries(env, seriesId);
  const { days } = daysToMake(rhythm, dateIn('UTC', env.now));
  const events = env.model('calendar.event');
  const own = await events.searchRead([['series_id', '=', seriesId]], ['occurs_on', ...timeFields], {
    order: 'occurs_on',
  });
  const [first] = own;
  const [firstDay] = days;
  if (first && firstDay && !own.some((event) => event.occurs_on === firstDay)) {
    await events.write([first.id], { ...timesOn(firstDay, first), occurs_on: firstDay, series_id: seriesId });
  }
  const kept = new Set(days);
  const gone = own.slice(1).filter((event) => !kept.has(event.occurs_on ?? ''));
  if (gone.length > 0) await events.unlink(gone.map((event) => event.id));
  await env.sudo().model('calendar.series').write([seriesId], { left_out: [] });
  await makeOccurrences(env, seriesId);
}
