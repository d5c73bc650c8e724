import { sql } from '@kontor/database';
import { defineModel, fields } from '@kontor/orm';
import type { DayRow } from '@kontor/protocol';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const definitions = [
  defineModel('t.event', {
    fields: {
      start: fields.datetime(),
      stop: fields.datetime(),
      all_day: fields.boolean(),
      day: fields.date(),
      last_day: fields.date(),
      name: fields.char(),
    },
  }),
];

let world: TestWorld;

beforeAll(async () => {
  world = await createTestEnv(definitions);
  await world.database.execute(sql`insert into t_event (start, stop, all_day, day, last_day) values
    ('2026-11-16 23:30Z', '2026-11-17 00:00Z', false, '2026-11-16', '2026-11-18'),
    ('2026-11-17 22:00Z', '2026-11-18 02:00Z', false, '2026-11-17', null),
    ('2026-11-17 00:00Z', '2026-11-19 00:00Z', true, '2026-11-18', '2026-11-17'),
    ('2026-11-18 12:00Z', null, false, null, null),
    (null, '2026-11-18 12:00Z', false, null, '2026-11-18')`);
});
afterAll(() => world.drop());

const range = { from: '2026-11-16', to: '2026-11-20' };
const timed = { start: 'start', stop: 'stop', allDay: 'all_day', ...range };

async function counts(tz: string, days: object): Promise<Record<string, number>> {
  const spec = { domain: [], groupby: [], fields: [], days: days as typeof timed };
  const records = world.as({ uid: 7, tz }).model('t.event');
  const rows = (await records.readGroup(spec)) as DayRow[];
  // What a count is of can be opened.
  for (const { __domain, __count } of rows) expect(await records.count(__domain)).toBe(__count);
  return Object.fromEntries(rows.map(({ __day, __count }) => [__day.slice(8), __count]));
}

describe('FIG-20 how many records lie on each day', () => {
  it('counts times where the reader is, and whole days as days everywhere', async () => {
    expect(await counts('UTC', timed)).toEqual({ 16: 1, 17: 2, 18: 3 });
    expect(await counts('Asia/Tokyo', timed)).toEqual({ 17: 2, 18: 3 });
    expect(await counts('America/Los_Angeles', timed)).toEqual({ 16: 1, 17: 2, 18: 2 });
  });

  it('a last day is part of it, an end before the beginning is none, and without an end a record has one day', async () => {
    expect(await counts('UTC', { start: 'day', stop: 'last_day', ...range })).toEqual({ 16: 1, 17: 2, 18: 2 });
    expect(await counts('UTC', { start: 'day', ...range })).toEqual({ 16: 1, 17: 1, 18: 1 });
    expect(await counts('UTC', { start: 'day', from: '2026-11-17', to: '2026-11-18' })).toEqual({ 17: 1 });
  });

  it('refuses what is no date, and what is asked beside it', async () => {
    const ask = (more: object) =>
      world.env.model('t.event').readGroup({ domain: [], groupby: [], fields: [], days: timed, ...more });
    for (const more of [
      { days: { ...timed, start: 'name' } },
      { days: { ...timed, allDay: 'name' } },
      { days: { ...timed, to: '2029-01-01' } },
      { groupby: ['name'] },
      { limit: 3 },
    ])
      await expect(ask(more), JSON.stringify(more)).rejects.toMatchObject({ code: 'INVALID_ARGS' });
  });
});
