import { sql } from '@kontor/database';
import { defineModel, type Env, fields } from '@kontor/orm';
import {
  addDays,
  dateIn,
  type LoadRow,
  type LoadSpec,
  parseDomain,
  toLocal,
  usualCalendar,
  type WorkCalendar,
  weekdayOf,
} from '@kontor/protocol';
import { createTestEnv, expectQueries, testSeed as seed, type TestWorld } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const definitions = [
  defineModel('t.person', {
    order: '-rank',
    fields: { name: fields.char(), rank: fields.integer(), work_calendar: fields.json() },
  }),
  defineModel('t.job', {
    fields: {
      begins: fields.datetime(),
      ends: fields.datetime(),
      first: fields.date(),
      last: fields.date(),
      hours: fields.float(),
      cost: fields.float({ groups: ['managers'] }),
      worker_ids: fields.many2many('t.person'),
      lead_id: fields.many2one('t.person'),
      hidden: fields.boolean(),
    },
  }),
];

interface Job {
  readonly begins: string;
  readonly ends: string | null;
  readonly first: string;
  readonly last: string;
  readonly hours: number | null;
  readonly hidden: boolean;
  readonly people: readonly number[];
}

const day = fc.integer({ min: 0, max: 50 }).map((n) => addDays('2026-10-20', n));
const jobs: readonly Job[] = fc.sample(
  fc
    .tuple(
      fc.tuple(day, fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 23 })),
      fc.integer({ min: -5, max: 300 }),
      fc.option(fc.integer({ min: 0, max: 80 })),
      fc.boolean(),
      fc.subarray([1, 2, 3]),
    )
    .map(([[first, days, hour], length, hours, hidden, people]) => {
      const begins = new Date(`${first}T${String(hour).padStart(2, '0')}:00:00Z`);
      const ends = length < 0 ? null : new Date(begins.getTime() + length * 3_600_000).toISOString();
      return { begins: begins.toISOString(), ends, first, last: addDays(first, days), hours, hidden, people };
    }),
  { numRuns: 150, seed },
);

/** Working hours of whole hours, some at night; holidays and leave. */
const spans = fc
  .uniqueArray(fc.integer({ min: 0, max: 24 }), { minLength: 0, maxLength: 5 })
  .map((edges) => edges.filter((edge) => edge === 0 || edge > 3).sort((a, b) => a - b))
  .map((edges) =>
    Array.from({ length: Math.floor(edges.length / 2) }, (_, n) => {
      const [from, to] = [edges[2 * n] as number, edges[2 * n + 1] as number];
      return [from * 60, to * 60] as const;
    }),
  );
const [morning, evening] = fc.sample(
  fc.record({
    week: fc.array(spans, { minLength: 7, maxLength: 7 }),
    off: fc.array(
      fc.tuple(day, fc.integer({ min: 0, max: 4 })).map(([at, n]) => [at, addDays(at, n)] as const),
      {
        maxLength: 4,
      },
    ),
  }),
  { numRuns: 2, seed },
);
/** Of Ada, Ben and Cem; nobody says when Cem works. */
const calendars: readonly WorkCalendar[] = [
  { tz: 'America/New_York', week: [], off: [], ...morning },
  { tz: 'Asia/Tokyo', week: [], off: [], ...evening },
  usualCalendar('Europe/Vienna'),
];

let world: TestWorld;
let user: Env;

beforeAll(async () => {
  console.log(`seed ${seed} (KONTOR_TEST_SEED)`);
  world = await createTestEnv(definitions);
  const readable = { group: null, read: true, write: false, create: false, unlink: false };
  const shown = {
    name: 'shown',
    domain: parseDomain([['hidden', '!=', true]]),
    groups: [],
    operations: new Set(['read' as const]),
  };
  user = world.as({ uid: 7, tz: 'Europe/Vienna' }, world.database, {
    access: new Map(definitions.map(({ name }) => [name, [readable]])),
    rules: new Map([['t.job', [shown]]]),
  });
  await world.database.execute(sql`insert into t_person (name, rank, work_calendar) values ('Ada', 1, ${JSON.stringify(calendars[0])}::jsonb),
      ('Ben', 3, ${JSON.stringify(calendars[1])}::jsonb), ('Cem', 2, null)`);
  const rows = JSON.stringify(jobs.map(({ people, ...job }) => ({ ...job, lead_id: people[0] ?? null })));
  await world.database.execute(
    sql`insert into t_job (begins, ends, first, last, hours, hidden, lead_id) select begins, ends, first, last, hours, hidden, lead_id
      from json_populate_recordset(null::t_job, ${rows}::json)`,
  );
  const links = JSON.stringify(jobs.flatMap(({ people }, index) => people.map((person) => [index + 1, person])));
  await world.database.execute(
    sql`insert into t_job_worker_ids_rel (t_job_id, t_person_id) select (l->>0)::int, (l->>1)::int from json_array_elements(${links}::json) l`,
  );
});
afterAll(() => world.drop());

const whole: LoadSpec = {
  ...{ start: 'first', stop: 'last', people: 'worker_ids', hours: 'hours' },
  ...{ from: '2026-11-02', to: '2026-11-16' },
};
const timed: LoadSpec = { ...whole, start: 'begins', stop: 'ends' };
const ask = (load: LoadSpec, env: Env = user) =>
  env.model('t.job').readGroup({ domain: [], groupby: [], fields: [], load }) as Promise<LoadRow[]>;

const hour = 3_600_000;

/** Hour by hour: the days of a job, as a person counts them, with the working hours on each; else all its hours. */
function daysOf(
  { begins, ends, first: from, last }: Job,
  isTimed: boolean,
  person: number,
): ReadonlyMap<string, number> {
  const { tz, week, off } = calendars[person - 1] as WorkCalendar;
  const dayAt = (at: number) => dateIn(tz, new Date(at));
  const start = isTimed ? Date.parse(begins) : Date.parse(from) - 24 * hour;
  const end = isTimed ? (ends === null ? 0 : Date.parse(ends)) : Date.parse(last) + 48 * hour;
  const worked = new Map<string, number>();
  const elapsed = new Map<string, number>();
  for (let at = start; at < Math.max(end, start + hour); at += hour) {
    const on = dayAt(at);
    if (!isTimed && (on < from || on > last)) continue;
    elapsed.set(on, (elapsed.get(on) ?? 0) + 1);
    const minute = (toLocal(at, tz) - Date.parse(on)) / 60_000;
    const isOff = off.some(([a, b]) => a <= on && on <= b);
    if (isOff || !week[weekdayOf(on) - 1]?.some(([a, b]) => a <= minute && minute < b)) continue;
    worked.set(on, (worked.get(on) ?? 0) + 1);
  }
  return worked.size > 0 ? worked : new Map([...elapsed].map(([on, hours]) => [on, -hours]));
}

/** The same by hand: `[person, day, hours]`. */
function expected(isTimed: boolean, { from, to }: LoadSpec, unit: (day: string) => string = (at) => at): string[] {
  const sums = new Map<string, number>();
  for (const job of jobs.filter(({ hidden }) => !hidden)) {
    for (const person of job.people) {
      const days = daysOf(job, isTimed, person);
      const total = [...days.values()].reduce((a, b) => a + b, 0);
      for (const [at, own] of days) {
        if (at < from || at >= to) continue;
        const hours =
          job.hours === null ? (own > 0 ? own : Math.min(8, -own)) : (job.hours * own) / total / job.people.length;
        const key = `${person} ${unit(at)}`;
        sums.set(key, (sums.get(key) ?? 0) + hours);
      }
    }
  }
  return [...sums].map(([key, hours]) => `${key} ${hours.toFixed(2)}`).sort();
}
const told = (rows: readonly LoadRow[]) =>
  rows.map((row) => `${row.worker_ids} ${row.__day} ${row.__hours.toFixed(2)}`).sort();

describe('FIG-10 the load of people', () => {
  long('is their share of the hours in the working time of each, in three zones, by date and by time', async () => {
    const rows = await expectQueries(world.database, 2, () => ask(whole));
    expect(told(rows)).toEqual(expected(false, whole));
    expect(told(await ask(timed))).toEqual(expected(true, timed));
    expect(rows.length).toBeGreaterThan(5);
    const months = { ...timed, from: '2026-10-26', to: '2026-12-03', interval: 'month' as const };
    expect(told(await ask(months))).toEqual(expected(true, months, (at) => `${at.slice(0, 7)}-01`));
  });

  it('names people in the order of their model, and the jobs that they are at', async () => {
    const rows = await ask({ ...timed, hours: 'hours' });
    const names = [...new Set(rows.map((row) => row['worker_ids.display_name']))];
    expect(names).toEqual(['Ben', 'Cem', 'Ada'].filter((name) => names.includes(name)));
    for (const row of rows.filter(({ worker_ids: person }) => person === 3)) {
      const ids = await user.model('t.job').search(row.__domain);
      const own = jobs.flatMap((job, index) => {
        const isIts = !job.hidden && job.people.includes(3);
        return isIts && daysOf(job, true, 3).has(row.__day) ? [index + 1] : [];
      });
      expect(own.filter((id) => !ids.includes(id))).toEqual([]);
      expect(row.__count).toBe(own.length);
    }
    const led = await ask({ ...whole, people: 'lead_id' });
    const isSeen = (job: Job) =>
      job.people[0] !== undefined &&
      [...daysOf(job, false, job.people[0]).keys()].some((at) => at >= whole.from && at < whole.to);
    const leaders = new Set(jobs.flatMap((job) => (job.hidden || !isSeen(job) ? [] : job.people.slice(0, 1))));
    expect(new Set(led.map((row) => row.lead_id))).toEqual(leaders);
  });

  it('says what is wrong with a question, and keeps fields from those who may not read them', async () => {
    for (const wrong of [
      { from: '2026-11-16', to: '2026-11-16' },
      { from: '2026-11-01', to: '2028-11-01' },
      { from: 'soon' },
      { start: 'hours' },
      { hours: 'first' },
      { interval: 'week' },
      { people: 7 },
    ]) {
      await expect(ask({ ...whole, ...wrong } as LoadSpec), JSON.stringify(wrong)).rejects.toMatchObject({
        code: 'INVALID_ARGS',
      });
    }
    const grouped = { domain: [], groupby: ['lead_id'], fields: [], load: whole };
    await expect(user.model('t.job').readGroup(grouped)).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    await expect(ask({ ...whole, hours: 'cost' })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});
