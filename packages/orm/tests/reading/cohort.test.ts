import { type Cell, sql } from '@kontor/database';
import { Decimal, defineModel, type Env, fields } from '@kontor/orm';
import { type CohortRow, type CohortSpec, type Domain, parseDomain } from '@kontor/protocol';
import { createTestEnv, expectQueries, testSeed as seed, type TestWorld } from '@kontor/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const definitions = [
  defineModel('core.currency', { order: 'name', fields: { name: fields.char() } }),
  defineModel('t.plan', {
    fields: {
      began: fields.date(),
      ended_at: fields.datetime(),
      fee: fields.monetary(),
      currency_id: fields.many2one('core.currency'),
      hidden: fields.boolean(),
    },
  }),
];

let world: TestWorld;
let user: Env;
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();

beforeAll(async () => {
  console.log(`seed ${seed} (KONTOR_TEST_SEED)`);
  world = await createTestEnv(definitions);
  const readable = { group: null, read: true, write: false, create: false, unlink: false };
  const domain = parseDomain([['hidden', '!=', true]]);
  const shown = { name: 'shown', domain, groups: [], operations: new Set(['read' as const]) };
  user = world.as({ uid: 7, tz: 'Europe/Vienna' }, world.database, {
    access: new Map(definitions.map(({ name }) => [name, [readable]])),
    rules: new Map([['t.plan', [shown]]]),
  });
  await world.database.execute(sql`insert into core_currency (name) values ('EUR'), ('USD')`);
  const random = fc.sample(
    fc.record({
      began: fc.option(fc.integer({ min: -20, max: 400 }).map((ago) => day(ago).slice(0, 10))),
      ended_at: fc.option(fc.integer({ min: -100, max: 400 }).map(day)),
      fee: fc.option(fc.integer({ min: 1, max: 9_999 }).map((cents) => (cents / 100).toFixed(2))),
      currency_id: fc.constantFrom(1, 1, 2),
      hidden: fc.boolean(),
    }),
    { numRuns: 500, seed },
  );
  await world.database.execute(
    sql`insert into t_plan (began, ended_at, fee, currency_id, hidden) select began, ended_at, fee, currency_id, hidden
      from json_populate_recordset(null::t_plan, ${JSON.stringify(random)}::json)`,
  );
});
afterAll(() => world.drop());

const euros = [['currency_id', '=', 1]] as const;
type Interval = CohortSpec['interval'];
const ask = (interval: Interval, field: 'id' | 'fee', domain: Domain = euros) =>
  user.model('t.plan').readGroup({
    domain,
    groupby: [],
    fields: [{ name: 'x', field, measure: field === 'id' ? 'count' : 'sum' }],
    cohort: { start: 'began', stop: 'ended_at', interval },
  }) as Promise<CohortRow[]>;

/** Each record is asked for each age: is it still there? */
const byHand = (interval: Interval): Promise<Cell[][]> =>
  world.database.arrays(
    sql`with r as (
        select date_trunc(${interval}, began::timestamp) as b, date_trunc(${interval}, ended_at at time zone 'Europe/Vienna') as e, fee
        from t_plan where not coalesce(hidden, false) and currency_id = 1),
      ages as (select b, k, b + k * ('1 ' || case ${interval}::text when 'quarter' then 'month' else ${interval} end)::interval * case ${interval}::text when 'quarter' then 3 else 1 end as later
        from (select distinct b from r where b is not null) c, generate_series(0, 59) k)
      select ages.b, k, count(*), count(*) filter (where e is null or e >= later or k = 0), sum(fee) filter (where e is null or e >= later or k = 0)
      from ages join r on r.b = ages.b where later <= date_trunc(${interval}, (now() at time zone 'Europe/Vienna'))
      group by grouping sets ((ages.b, k), (k)) order by ages.b nulls first, k`,
  );

describe('FIG-3 cohorts', () => {
  it.each(['day', 'week', 'month', 'quarter', 'year'] as const)(
    'by %s are those that the records give, one by one',
    async (interval) => {
      const cells = await expectQueries(world.database, 1, () => ask(interval, 'fee'));
      const key = `began:${interval}`;
      const [all, each] = [cells.filter((cell) => !(key in cell)), cells.filter((cell) => key in cell)];
      const rows = await byHand(interval);
      // Of days only the newest 120 are told.
      if (interval !== 'day') {
        expect(
          cells.map((cell) => [cell.__age, cell.__began, cell.__count, new Decimal(String(cell.x)).toFixed(2)]),
        ).toEqual(
          rows.map(([, k, began, stayed, fee]) => [
            k,
            Number(began),
            Number(stayed),
            new Decimal(String(fee ?? 0)).toFixed(2),
          ]),
        );
      }
      expect(each.length).toBeGreaterThan(0);
      const records = user.model('t.plan');
      for (const cell of each.slice(0, 40)) {
        expect(await records.count(cell.__domain), JSON.stringify(cell)).toBe(cell.__count);
        expect(await records.count(cell.__left), JSON.stringify(cell)).toBe(cell.__began - cell.__count);
      }
      for (const cell of all) {
        expect(cell).not.toHaveProperty('__left');
        expect(await records.count(cell.__domain), JSON.stringify(cell)).toBe(cell.__began);
      }
    },
  );

  it('FIG-21 of more periods and ages than have rows, the cohort says how many there are', async () => {
    await world.database.execute(
      sql`insert into t_plan (began, currency_id, hidden) select date '2019-01-01' + n, 1, false from generate_series(1, 150) n`,
    );
    const cells = await ask('day', 'id');
    const [found] = await world.database.query<{ periods: number; oldest: number }>(
      sql`select count(distinct began)::int4 as periods,
          (now() at time zone 'Europe/Vienna')::date - (select min(d) from (select distinct began as d from t_plan
            where not coalesce(hidden, false) and currency_id = 1 and began <= (now() at time zone 'Europe/Vienna')::date order by 1 desc limit 120) n) as oldest
        from t_plan where not coalesce(hidden, false) and currency_id = 1 and began <= (now() at time zone 'Europe/Vienna')::date`,
    );
    const lines = new Set(cells.flatMap((cell) => ('began:day' in cell ? [cell['began:day']] : [])));
    const [all] = cells.filter((cell) => !('began:day' in cell));
    expect([all?.__periods, all?.__oldest]).toEqual([found?.periods, found?.oldest]);
    expect(found?.periods).toBeGreaterThan(lines.size);
    expect(found?.oldest).toBeGreaterThan(Math.max(...cells.map(({ __age }) => __age)));
    await world.database.execute(
      sql`delete from t_plan where began < '2020-01-01' and fee is null and ended_at is null`,
    );
  });

  it('amounts of several currencies are not added up; records are counted all the same', async () => {
    const cells = await ask('month', 'fee', []);
    expect(cells.length).toBeGreaterThan(0);
    for (const cell of cells) expect(cell).toMatchObject({ __whole: null, x: null, __count: expect.any(Number) });
    const counted = await ask('month', 'id', []);
    expect(counted.map(({ x }) => x)).toEqual(cells.map(({ __count }) => __count));
  });

  it('nothing to show is nothing, and what makes no cohort is INVALID_ARGS', async () => {
    expect(await ask('month', 'id', [['id', '=', 0]])).toEqual([]);
    const cohort = { start: 'began', stop: 'ended_at', interval: 'month' } as const;
    const one = [{ name: 'x', field: 'fee', measure: 'sum' }] as const;
    const bad = [
      { fields: [{ name: 'x', field: 'fee', measure: 'avg' }], cohort },
      { fields: [], cohort },
      { fields: one, cohort, groupby: ['currency_id'] },
      { fields: one, cohort, limit: 3 },
      { fields: one, cohort: { ...cohort, interval: 'hour' } },
      { fields: one, cohort: { ...cohort, stop: 'fee' } },
      { fields: one, cohort: 'month' },
    ];
    for (const spec of bad) {
      const asked = user.model('t.plan').readGroup({ domain: [], groupby: [], ...(spec as object) } as never);
      await expect(asked, JSON.stringify(spec)).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    }
  });
});
