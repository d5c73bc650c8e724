import { type ActionCall, type Env, fields, open } from '@kontor/addon';
import { endings, frequencies, monthlyBy } from '../models/series.ts';
import { endSeries, reshapeSeries, scopes, splitSeries } from './change-series.ts';
import { leftOut, rhythmFields } from './make-occurrences.ts';
import { weekdayOf } from './rule.ts';
import { firstDay } from './times.ts';

export const repeatAsks = {
  frequency: fields.selection(frequencies, { label: 'Repeats', required: true, default: 'weekly' }),
  interval: fields.integer({ label: 'Every', required: true, default: 1, min: 1, max: 99 }),
  weekdays: fields.char({ label: 'On', size: 20 }),
  monthly_by: fields.selection(monthlyBy, { label: 'In the month', required: true, default: 'day' }),
  ending: fields.selection(endings, { label: 'Ends', required: true, default: 'never' }),
  until: fields.date({ label: 'Last day' }),
  count: fields.integer({ label: 'Times', min: 1, max: 730 }),
  apply_to: fields.selection(
    { following: scopes.following, all: scopes.all },
    { label: 'Changes', required: true, default: 'following' },
  ),
  is_series: fields.boolean({ label: 'Part of a series' }),
};

/** The recurrence of the series, or a week from the day of the meeting. */
export async function proposeRhythm({ env, records }: Pick<ActionCall<'calendar.event'>, 'env' | 'records'>) {
  const [event] = await records.load('start', 'all_day', 'tz', 'series_id.id');
  if (!event) return {};
  if (event.series_id === null) return { value: { weekdays: weekdayOf(firstDay(event)) } };
  const [series] = await env.model('calendar.series').read([event.series_id.id], rhythmFields);
  const { id: _, first_on: __, ...rhythm } = series ?? { id: 0, first_on: '' };
  return { value: { ...rhythm, is_series: true } };
}

/** Turns a meeting into a series, or changes the recurrence of its series. */
export async function repeat({ env, records, answers }: ActionCall<'calendar.event', typeof repeatAsks>) {
  const event = await records.only('start', 'all_day', 'tz', 'series_id.id', 'series_id.first_on', 'occurs_on');
  const { apply_to: scope, is_series: _, ...given } = answers;
  const rhythm = {
    ...given,
    until: given.ending === 'until' ? given.until : null,
    count: given.ending === 'count' ? given.count : null,
    weekdays: given.frequency === 'weekly' ? given.weekdays : null,
  };
  // As the server: a series is created and changed only through its meetings, and the caller may change this one.
  const series = env.sudo().model('calendar.series');
  if (event.series_id === null) {
    const day = firstDay(event);
    const id = await series.create({ ...rhythm, first_on: day, tz: event.tz });
    await env.model('calendar.event').write([event.id], { series_id: id, occurs_on: day, is_changed: false });
    await reshapeSeries(env, id);
    return;
  }
  const day = event.occurs_on ?? event.series_id.first_on;
  const id = scope === 'all' ? event.series_id.id : await splitSeries(env, event.series_id.id, day);
  await series.write([id], rhythm);
  await reshapeSeries(env, id);
}

export const removeAsks = {
  apply_to: fields.selection(scopes, { label: 'Delete', required: true, default: 'this' }),
};

/** Deletes one meeting of a series, those from it on, or all, and leads back to the calendar. */
export async function removeFromSeries({ env, records, answers }: ActionCall<'calendar.event', typeof removeAsks>) {
  const event = await records.only('series_id.id', 'occurs_on');
  const events = env.model('calendar.event');
  const { series_id: series, occurs_on: day } = event;
  if (series === null || day === null || answers.apply_to === 'this') {
    await events.unlink([event.id]);
    return open('calendar.event', { action: 'calendar.meetings' });
  }
  if (answers.apply_to === 'following') await endSeries(env, series.id, day);
  const ids = await events.search([
    ['series_id', '=', series.id],
    ...(answers.apply_to === 'all' ? [] : [['occurs_on', '>=', day] as const]),
  ]);
  await events.unlink(ids);
  return open('calendar.event', { action: 'calendar.meetings' });
}

/** A day on which a meeting was deleted stays free; a series without meetings is gone. As the server: as above. */
export async function leaveOut(env: Env, ids: readonly number[]): Promise<void> {
  const server = env.sudo();
  const events = await server.model('calendar.event').searchRead(
    [
      ['id', 'in', ids],
      ['series_id', '!=', null],
    ],
    ['series_id', 'occurs_on'],
  );
  for (const seriesId of new Set(events.map((event) => event.series_id))) {
    if (seriesId === null) continue;
    const rest = await server.model('calendar.event').count([
      ['series_id', '=', seriesId],
      ['id', 'not in', ids],
    ]);
    if (rest === 0) {
      await server.model('calendar.series').unlink([seriesId]);
      continue;
    }
    const [series] = await server.model('calendar.series').read([seriesId], ['left_out']);
    const days = events.filter((event) => event.series_id === seriesId).map((event) => event.occurs_on);
    const left = new Set([...leftOut(series?.left_out), ...days.filter((day) => day !== null)]);
    await server.model('calendar.series').write([seriesId], { left_out: [...left].sort() });
  }
}
