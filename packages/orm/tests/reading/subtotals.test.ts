import { type Cell, sql } from '@kontor/database';
import { Decimal, defineModel, type Env, fields, readGroups } from '@kontor/orm';
import { type GroupRow, type GroupSpec, parseDomain } from '@kontor/protocol';
import { createTestEnv, expectQueries, testSeed as seed, type TestWorld } from '@kontor/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const definitions = [
  defineModel('core.currency', { order: 'name', fields: { name: fields.char() } }),
  defineModel('t.tag', { order: 'name', fields: { name: fields.char(), hidden: fields.boolean() } }),
  defineModel('t.deal', {
    fields: {
      state: fields.selection({ open: 'Open', won: 'Won' }),
      day: fields.date(),
      qty: fields.integer(),
      amount: fields.monetary(),
      cost: fields.monetary({ groups: ['managers'] }),
      currency_id: fields.many2one('core.currency'),
      tag_ids: fields.many2many('t.tag'),
      hidden: fields.boolean(),
    },
  }),
];

let world: TestWorld;
let user: Env;

/** Rows by the thousand in one statement, the same for the same seed. */
async function fill(count: number): Promise<void> {
  await world.database.execute(sql`insert into core_currency (name) values ('EUR'), ('USD')`);
  await world.database.execute(sql`insert into t_tag (name, hidden) values ('a', false), ('b', false), ('h', true)`);
  const random = fc.sample(
    fc.tuple(
      fc.constantFrom(null, 'open', 'won'),
      fc.constantFrom(null, '2026-01-15', '2026-02-01', '2026-12-31', '2025-12-31'),
      fc.option(fc.integer({ min: -5, max: 9 })),
      fc.option(fc.integer({ min: -100_000, max: 100_000 }).map((cents) => (cents / 100).toFixed(2))),
      fc.constantFrom(null, 1, 2),
      fc.boolean(),
      fc.subarray([1, 2, 3]),
    ),
    { numRuns: count, seed },
  );
  const rows = JSON.stringify(
    random.map(([state, day, qty, amount, currency_id, hidden]) => ({ state, day, qty, amount, currency_id, hidden })),
  );
  await world.database.execute(
    sql`insert into t_deal (state, day, qty, amount, currency_id, hidden) select state, day, qty, amount, currency_id, hidden
      from json_populate_recordset(null::t_deal, ${rows}::json)`,
  );
  const links = JSON.stringify(random.flatMap(([, , , , , , tags], index) => tags.map((tag) => [index + 1, tag])));
  await world.database.execute(
    sql`insert into t_deal_tag_ids_rel (t_deal_id, t_tag_id) select (l->>0)::int, (l->>1)::int from json_array_elements(${links}::json) l`,
  );
}

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
    rules: new Map(['t.deal', 't.tag'].map((name) => [name, [shown]])),
  });
  await fill(600);
});
afterAll(() => world.drop());

const group = (spec: Partial<GroupSpec>, env: Env = user) =>
  env.model('t.deal').readGroup({ domain: [], groupby: [], fields: [], ...spec });
const rowsBy = (rows: readonly GroupRow[], ...keys: readonly string[]) =>
  rows.filter((row) => ['state', 'day:quarter', 'tag_ids'].every((key) => key in row === keys.includes(key)));
const cell = (value: unknown) => (value === null || value === undefined ? null : String(value));
const figures = (row: GroupRow) => [
  ...['state', 'day:quarter', 'tag_ids', 'qty', 'mean', 'least', 'most', 'named', 'kinds'].map((key) => cell(row[key])),
  cell(row.__count),
];

const fieldsAsked = [
  { name: 'qty', field: 'qty', measure: 'sum' },
  { name: 'mean', field: 'qty', measure: 'avg' },
  { name: 'least', field: 'amount', measure: 'min' },
  { name: 'most', field: 'day', measure: 'max' },
  { name: 'named', field: 'state', measure: 'count' },
] as const;
const distinct = { name: 'kinds', field: 'currency_id', measure: 'count_distinct' } as const;

const expected = async (keys: readonly string[], isDistinct: boolean): Promise<string[]> => {
  const by = new Map([
    ['state', sql`d.state`],
    ['day:quarter', sql`to_char(d.day, 'YYYY-"Q"Q')`],
    ['tag_ids', sql`g.id`],
  ]);
  const column = (key: string) => (keys.includes(key) ? (by.get(key) ?? sql`null`) : sql`null::text`);
  const tags = sql`left join (t_deal_tag_ids_rel r join t_tag g on g.id = r.t_tag_id and not g.hidden) on r.t_deal_id = d.id`;
  const rows = await world.database.arrays(
    sql`select ${column('state')}, ${column('day:quarter')}, ${column('tag_ids')}, coalesce(sum(d.qty), 0), avg(d.qty),
        min(d.amount), max(d.day), count(d.state), ${isDistinct ? sql`count(distinct d.currency_id)` : sql`null`}, count(*)
      from t_deal d ${keys.includes('tag_ids') ? tags : sql``} where not coalesce(d.hidden, false)
      group by grouping sets ((${keys.length > 0 ? column(keys[0] as string) : sql``}${keys.length > 1 ? sql`, ${column(keys[1] as string)}` : sql``}${keys.length > 2 ? sql`, ${column(keys[2] as string)}` : sql``}))`,
  );
  return rows.map((row) => told(row)).sort();
};
/** Averages to the digits that both have, amounts without zeros at the end. */
const told = (row: readonly (Cell | string | undefined)[]) =>
  JSON.stringify(
    row.map((value, at) =>
      value === null ? null : at === 4 || at === 5 ? new Decimal(String(value)).toFixed(6) : String(value),
    ),
  );

describe('FIG-9 running totals', () => {
  const asked = {
    groupby: ['day:quarter', 'state'],
    fields: [
      { name: 'amount', field: 'amount', measure: 'sum' },
      { name: 'qty', field: 'qty', measure: 'sum' },
      { name: 'named', field: 'currency_id', measure: 'count' },
    ],
    subtotals: [[], ['day:quarter'], ['state']],
    money: true,
    running: 'day:quarter',
  } as const;

  it('grow along a date, in every set that is by it and in each currency, with the records behind them', async () => {
    const rows = await expectQueries(world.database, 1, () => group(asked));
    const bySql = await world.database.arrays(sql`
      select d.state, to_char(d.q, 'YYYY-"Q"Q'), sum(sum(d.qty)) over w, sum(count(d.currency_id)) over w, sum(count(*)) over w
      from (select state, qty, currency_id, date_trunc('quarter', day) as q from t_deal where not coalesce(hidden, false)) d
      group by d.state, d.q window w as (partition by d.state order by d.q)`);
    const shown = rowsBy(rows, 'state', 'day:quarter').map((row) =>
      JSON.stringify([row.state, row['day:quarter'], Number(row.qty), row.named, row.__count]),
    );
    expect(shown.sort()).toEqual(
      bySql.map(([state, q, ...numbers]) => JSON.stringify([state, q, ...numbers.map(Number)])).sort(),
    );
    const euros = await world.database.arrays(sql`
      select to_char(d.q, 'YYYY-"Q"Q'), sum(sum(d.amount)) over (order by d.q)
      from (select amount, date_trunc('quarter', day) as q from t_deal
        where not coalesce(hidden, false) and currency_id = 1) d group by d.q order by d.q`);
    const inEuros = rowsBy(rows, 'day:quarter').map((row) => [
      row['day:quarter'],
      String(row.__money?.amount?.find(({ currency }) => currency === 'EUR')?.value),
    ]);
    expect(inEuros).toEqual(euros.map(([quarter, value]) => [quarter, String(new Decimal(String(value)))]));
    for (const row of rows)
      expect(await user.model('t.deal').count(row.__domain), JSON.stringify(row)).toBe(row.__count);
    const [whole] = await group({ fields: [asked.fields[1]] });
    expect([rows[0]?.qty, rows[0]?.__count]).toEqual([whole?.qty, whole?.__count]);
  });

  it('are of sums and counts, along a date that is grouped by', async () => {
    for (const wrong of [
      { running: 'state' },
      { running: 'day:month' },
      { running: 7 as never },
      { fields: [{ name: 'mean', field: 'qty', measure: 'avg' as const }] },
    ]) {
      await expect(group({ ...asked, ...wrong }), JSON.stringify(wrong)).rejects.toMatchObject({
        code: 'INVALID_ARGS',
      });
    }
  });
});

describe('FIG-1 subtotals', () => {
  const sets = [[], ['state'], ['day:quarter'], ['tag_ids'], ['state', 'day:quarter'], ['tag_ids', 'state']];

  it.each([false, true])(
    'totals of every level are those of the records, each counted once (distinct: %s)',
    async (isDistinct) => {
      const rows = await expectQueries(world.database, 1, () =>
        group({
          groupby: ['state', 'day:quarter', 'tag_ids'],
          fields: isDistinct ? [...fieldsAsked, distinct] : fieldsAsked,
          subtotals: sets,
        }),
      );
      for (const keys of [...sets, ['state', 'day:quarter', 'tag_ids']]) {
        const own = rowsBy(rows, ...keys).map((row) => told(figures(row)));
        expect({ keys, rows: own.sort() }).toEqual({ keys, rows: await expected(keys, isDistinct) });
      }
      for (const row of rows)
        expect(await user.model('t.deal').count(row.__domain), JSON.stringify(row)).toBe(row.__count);
    },
  );

  it('an absent key is all values, null is none; totals come first, in the order asked for', async () => {
    const rows = await group({ groupby: ['state'], subtotals: [[]], order: '-__count' });
    expect(rows[0]).not.toHaveProperty('state');
    expect(rows[0]?.__domain).toEqual([]);
    expect(rows.slice(1).map((row) => row.state)).toContain(null);
    const counts = rows.slice(1).map((row) => row.__count);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts.reduce((sum, count) => sum + count)).toBe(rows[0]?.__count);
    expect(await group({ groupby: ['state'], subtotals: [[]], order: '-__count', limit: 2 })).toEqual(rows.slice(0, 2));
  });

  it('no records still have a total', async () => {
    const none = { domain: [['id', '=', 0]] as const, fields: fieldsAsked, subtotals: [[]], money: true };
    expect(await group({ ...none, groupby: ['state'] })).toEqual([
      {
        qty: 0,
        mean: null,
        least: null,
        most: null,
        named: 0,
        __count: 0,
        __domain: [['id', '=', 0]],
        __money: { least: [] },
      },
    ]);
  });

  it('what is no list of groups is INVALID_ARGS, and nobody measures what they may not read', async () => {
    const bad = [[['nope']], [['state', 'state']], ['state'], [[], []], [['state', 'day:month']], 'state', [[1]]];
    for (const subtotals of bad) {
      const asked = group({ groupby: ['state', 'day:month'], subtotals: subtotals as never });
      await expect(asked, JSON.stringify(subtotals)).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    }
    await expect(group({ money: 1 as never })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    const cost = [{ name: 'cost', field: 'cost', measure: 'sum' }] as const;
    await expect(group({ groupby: ['state'], subtotals: [[]], fields: cost })).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
  });
});

describe('FIG-2 money', () => {
  const fieldsOfMoney = [
    { name: 'amount', field: 'amount', measure: 'sum' },
    { name: 'most', field: 'amount', measure: 'max' },
    { name: 'qty', field: 'qty', measure: 'sum' },
  ] as const;

  it('comes by currency, and is null where it would be added across currencies', async () => {
    const rows = await expectQueries(world.database, 1, () =>
      group({ groupby: ['state', 'tag_ids'], fields: fieldsOfMoney, subtotals: [[], ['state']], money: true }),
    );
    const found = await world.database.arrays(
      sql`select d.state, c.name, sum(d.amount)::text, max(d.amount)::text from t_deal d left join core_currency c on c.id = d.currency_id
        where not coalesce(d.hidden, false) group by grouping sets ((d.state, c.name), (c.name)) order by grouping(d.state) desc, d.state, c.name`,
    );
    const totals = rows.filter((row) => !('tag_ids' in row));
    expect(totals).toHaveLength(4);
    const money = totals.flatMap((row) =>
      (row.__money?.amount ?? []).map(({ currency, value }, index) => [
        row.state ?? null,
        currency,
        new Decimal(String(value)).toFixed(4),
        new Decimal(String(row.__money?.most?.[index]?.value)).toFixed(4),
      ]),
    );
    expect(money).toEqual(
      found.map(([state, name, sum, most]) => [
        state,
        name,
        new Decimal(String(sum)).toFixed(4),
        new Decimal(String(most)).toFixed(4),
      ]),
    );
    for (const row of totals) {
      expect(row.amount).toBeNull();
      expect(row.most).toBeNull();
      expect(row.qty).toEqual(expect.any(Number));
    }
    const plain = await group({ groupby: ['state'], fields: fieldsOfMoney });
    expect(plain.map((row) => row.qty)).toEqual(totals.slice(1).map((row) => row.qty));
    expect(plain[0]).not.toHaveProperty('__money');
  });

  it('of one currency is one amount, in that currency', async () => {
    const spec = {
      domain: [['currency_id', '=', 1]] as const,
      fields: fieldsOfMoney,
      groupby: ['state'],
      order: '-amount',
      limit: 1,
    };
    const [row] = await group({ ...spec, money: true });
    const [plain] = await group(spec);
    expect(row?.amount).toEqual(plain?.amount);
    expect(row?.__money?.amount).toEqual([{ currency: 'EUR', value: plain?.amount }]);
  });
});

describe('several questions', () => {
  it('FIG-1 BRD-2 are one statement, and each is answered as if it were asked alone', async () => {
    const measured = [
      { name: 'sum', field: 'amount', measure: 'sum' as const },
      { name: 'most', field: 'qty', measure: 'max' as const },
    ];
    const ask = (groupby: readonly string[], from: string, more: Partial<GroupSpec> = {}): GroupSpec => ({
      ...{ domain: [['day', '>=', from]], groupby, fields: measured, money: true },
      ...more,
    });
    const specs = [
      ask(['day:month', 'currency_id', 'tag_ids'], '2026-01-01', { subtotals: [[], ['currency_id']], order: '-sum' }),
      ask(['currency_id'], '2025-01-01', { limit: 2 }),
      ask([], '2025-01-01'),
      ask(['tag_ids', 'day:month'], '2026-02-01'),
    ];
    const model = user.registry.model('t.deal');
    const answers = await expectQueries(world.database, 1, () => readGroups(user, model, specs));
    const alone = await Promise.all(specs.map((spec) => user.model('t.deal').readGroup(spec)));
    expect(answers).toEqual(alone);
    expect(answers.map((rows) => rows.length > 0)).toEqual([true, true, true, true]);
  });
});
