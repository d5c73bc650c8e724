import { addDays, anyModel, dateIn, type Env, fromLocal, onDay, toLocal } from '@kontor/addon';
import { daysToMake } from './days.ts';
import type { Rhythm } from './rule.ts';
import { clockOf, type Times, timeFields } from './times.ts';

export const rhythmFields = [
  'frequency',
  'interval',
  'weekdays',
  'monthly_by',
  'ending',
  'until',
  'count',
  'first_on',
] as const;

/** The same time of day on another day. The duration is kept across clock changes. */
export function timesOn(day: string, times: Times): { readonly start: string; readonly stop: string } {
  const { start, stop } = times;
  const tz = clockOf(times);
  const local = toLocal(Date.parse(start), tz);
  const at = Date.parse(onDay(start, day, tz));
  const isWhole = isMidnight(local) && isMidnight(toLocal(Date.parse(stop), tz));
  // Whole days end with a day, however many hours it has.
  const end = isWhole
    ? fromLocal(toLocal(at, tz) + toLocal(Date.parse(stop), tz) - local, tz)
    : at + Date.parse(stop) - Date.parse(start);
  return { start: new Date(at).toISOString(), stop: new Date(end).toISOString() };
}

/** Creates missing meetings of a series until its horizon, each like the last one that was not changed by hand. */
export async function makeOccurrences(env: Env, seriesId: number): Promise<void> {
  // As the server: a user who may change a meeting may not see all meetings of the series, and nobody changes the series itself.
  const server = env.sudo();
  const [series] = await server.model('calendar.series').read([seriesId], [...rhythmFields, 'left_out']);
  const template = await findTemplate(server, seriesId);
  if (!series || !template) return;
  const { days, until } = daysToMake(series as Rhythm, dateIn('UTC', env.now));
  const made = await server.model('calendar.event').searchRead([['series_id', '=', seriesId]], ['occurs_on']);
  const known = new Set([...made.map((event) => event.occurs_on), ...leftOut(series.left_out)]);
  const missing = days.filter((day) => !known.has(day));
  if (missing.length > 0) await createLike(env, template, seriesId, missing);
  await server.model('calendar.series').write([seriesId], { made_until: until });
}

const batch = 50;

/** Creates due meetings of some series, after a given one; returns the last of them, or null if there are no more. */
export async function extendSeries(env: Env, after: number): Promise<number | null> {
  const soon = addDays(dateIn('UTC', env.now), 336);
  const ids = await env
    .sudo()
    .model('calendar.series')
    .search(
      [
        ['id', '>', after],
        ['made_until', '<', soon],
      ],
      { order: 'id', limit: batch },
    );
  for (const id of ids) await makeOccurrences(env, id);
  return ids.length === batch ? (ids.at(-1) ?? null) : null;
}

export function leftOut(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

type Template = Times & { readonly id: number };

async function findTemplate(server: Env, seriesId: number): Promise<Template | undefined> {
  const [found] = await server
    .model('calendar.event')
    .searchRead([['series_id', '=', seriesId]], timeFields, { order: 'is_changed, -occurs_on', limit: 1 });
  return found;
}

async function createLike(env: Env, template: Template, seriesId: number, days: readonly string[]): Promise<void> {
  const server = env.sudo();
  const values = await sharedValues(server, template.id);
  const rows = days.map((day) => ({
    ...values,
    ...timesOn(day, template),
    series_id: seriesId,
    occurs_on: day,
  }));
  const ids = await anyModel(server, 'calendar.event').createMany(rows);
  await copyAnswers(server, template.id, ids);
}

/** Values that the meetings of a series share, including fields of other addons. */
async function sharedValues(server: Env, id: number): Promise<Readonly<Record<string, unknown>>> {
  const model = server.registry.model('calendar.event');
  const names = [...model.fields.values()]
    .filter((field) => field.spec.copy !== false && !field.isReadonly && !field.kind.isLines)
    .map((field) => field.name);
  const [row] = await anyModel(server, 'calendar.event').read([id], names);
  return Object.fromEntries(
    names.map((name) => {
      const value = row?.[name];
      return [name, Array.isArray(value) ? [['set', value]] : value];
    }),
  );
}

/** Attendees who accepted a series have also accepted meetings that are created later. */
async function copyAnswers(server: Env, templateId: number, eventIds: readonly number[]): Promise<void> {
  const people = server.model('calendar.person');
  const said = await people.searchRead(
    [
      ['event_id', '=', templateId],
      ['answer', '!=', 'asked'],
    ],
    ['user_id', 'partner_id', 'answer'],
  );
  for (const { user_id: user, partner_id: partner, answer } of said) {
    const same = await people.search([
      ['event_id', 'in', eventIds],
      ['user_id', '=', user],
      ['partner_id', '=', partner],
      ['answer', '=', 'asked'],
    ]);
    if (same.length > 0) await people.write(same, { answer });
  }
}

function dayStart(local: number): number {
  return Math.floor(local / 86_400_000) * 86_400_000;
}

function isMidnight(local: number): boolean {
  return local === dayStart(local);
}
