import { sql } from '@kontor/database';
import { Decimal, defineModel, type Env, fields, readGroups } from '@kontor/orm';
import { type GroupRow, type GroupSpec, parseDomain } from '@kontor/protocol';
import { createTestEnv, expectQueries, testSeed as seed, type TestWorld } from '@kontor/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const definitions = [
  defineModel('core.currency', {
    order: 'name',
    fields: { name: fields.char(), rate: fields.decimal({ precision: [18, 8] }), decimal_places: fields.integer() },
  }),
  defineModel('core.company', { fields: { name: fields.char(), currency_id: fields.many2one('core.currency') } }),
  defineModel('t.deal', {
    fields: {
      state: fields.selection({ open: 'Open', won: 'Won' }),
      day: fields.date(),
      amount: fields.monetary(),
      margin: fields.monetary(),
      percent: fields.float({ aggregate: { ratio: ['margin', 'amount'], times: 100 } }),
      currency_id: fields.many2one('core.currency'),
      hidden: fields.boolean(),
    },
  }),
];

/** Codes with their rate and digits: sixths and sevenths have no end, one has no rate. */
const currencies = [
  ['EUR', '1', 2],
  ['USD', '1.08570000', 2],
  ['SIX', '6', 2],
  ['SEV', '7.00000007', 3],
  ['JPY', '163.2', 0],
  ['XXX', null, 3],
] as const;

let world: TestWorld;
let user: Env;

beforeAll(async () => {
  console.log(`seed ${seed} (KONTOR_TEST_SEED)`);
  world = await createTestEnv(definitions);
  const { database } = world;
  for (const [name, rate, digits] of currencies) {
    await database.execute(
      sql`insert into core_currency (name, rate, decimal_places) values (${name}, ${rate}::numeric, ${digits}::int4)`,
    );
  }
  await database.execute(sql`insert into core_company (name, currency_id) values ('Kontor', 2), ('Elsewhere', 5)`);
  const cents = fc.option(fc.integer({ min: -100_000, max: 100_000 }).map((one) => (one / 100).toFixed(2)));
  const rows = fc.sample(
    fc.record({
      state: fc.constantFrom(null, 'open', 'won'),
      day: fc.constantFrom(null, '2026-01-15', '2026-02-01', '2026-12-31', '2025-12-31'),
      amount: cents,
      margin: cents,
      currency_id: fc.constantFrom(null, 1, 2, 3, 4, 5, 6),
      hidden: fc.boolean(),
    }),
    { numRuns: 600, seed },
  );
  await database.execute(
    sql`insert into t_deal (state, day, amount, margin, currency_id, hidden) select state, day, amount, margin, currency_id, hidden
      from json_populate_recordset(null::t_deal, ${JSON.stringify(rows)}::json)`,
  );
  const readable = { group: null, read: true, write: false, create: false, unlink: false };
  const shown = { domain: parseDomain([['hidden', '!=', true]]), groups: [], operations: new Set(['read' as const]) };
  user = world.as({ uid: 7, tz: 'Europe/Vienna', companyId: 1, companyIds: [1] }, database, {
    access: new Map(definitions.map(({ name }) => [name, [readable]])),
    rules: new Map([['t.deal', [{ name: 'shown', ...shown }]]]),
  });
});
afterAll(() => world.drop());

const measured = [
  { name: 'amount', field: 'amount', measure: 'sum' },
  { name: 'mean', field: 'amount', measure: 'avg' },
  { name: 'most', field: 'amount', measure: 'max' },
  { name: 'percent', field: 'percent', measure: 'ratio' },
] as const;
const group = (spec: Partial<GroupSpec>, env: Env = user) =>
  env.model('t.deal').readGroup({ domain: [], groupby: [], fields: measured, ...spec });

/** Each sum by currency first, exactly; then converted, added and rounded once. */
async function bySql(code: string, by: 'state' | 'day' | null) {
  const key = by === null ? sql`null::text` : by === 'state' ? sql`d.state` : sql`to_char(d.day, 'YYYY')`;
  const rows = await world.database.arrays(sql`
    with target as (select * from core_currency where name = ${code}),
    parts as (
      select ${key} as key, c.id as currency, c.name, c.rate, sum(d.amount) as amount, sum(d.margin) as margin,
        count(d.amount) as n, max(d.amount) as most
      from t_deal d left join core_currency c on c.id = d.currency_id
      where not coalesce(d.hidden, false) group by 1, 2, 3, 4),
    shown as (select p.key, case when p.rate is null then p.name else t.name end as name, t.decimal_places as digits, p.rate is null as is_apart,
        p.n, coalesce(t.rate / p.rate, 1) as near,
        case when p.rate is null then p.amount else round(p.amount * t.rate, 60) / p.rate end as amount,
        case when p.rate is null then p.margin else round(p.margin * t.rate, 60) / p.rate end as margin,
        case when p.rate is null then p.most else round(p.most * t.rate, 60) / p.rate end as most
      from parts p cross join target t)
    select key, name, is_apart,
      case when is_apart then coalesce(sum(amount), 0) else round(round(coalesce(sum(amount), 0), 25), digits) end,
      case when is_apart then sum(amount) / nullif(sum(n), 0) else round(round(sum(amount) / nullif(sum(n), 0), 25), digits) end,
      case when is_apart then max(most) else round(round(max(most), 25), digits) end,
      round(round(coalesce(sum(margin), 0) * 100 / nullif(sum(amount), 0), 20), 2)
    from shown group by key, name, is_apart, digits`);
  const cells = rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))));
  return new Map(cells.map(([of, name, , ...values]) => [`${of} in ${name}`, values]));
}

async function expectSame(code: string, by: 'state' | 'day' | null, asked = code): Promise<void> {
  const groupby = by === null ? [] : [by === 'day' ? 'day:year' : 'state'];
  const expected = await bySql(code, by);
  const rows = await group({ groupby, money: asked });
  const isZero = (value: unknown) => value === null || value === undefined || Number(value) === 0;
  for (const row of rows) {
    const key = String(row[groupby[0] ?? ''] ?? null);
    for (const [at, { name }] of measured.entries()) {
      const shown = new Map(row.__money?.[name]?.map(({ currency, value }) => [String(currency), value]));
      for (const { length } of [row.__money?.[name] ?? []]) {
        if (length > 1) expect(row[name]).toBeNull();
        else expect(row[name]).toEqual(row.__money?.[name]?.[0]?.value);
      }
      for (const [place, values] of expected) {
        const [of, currency = ''] = place.split(' in ');
        if (of !== key || (!shown.has(currency) && isZero(values[at]))) continue;
        const [own, wanted] = [shown.get(currency), values[at]];
        const digits = name === 'mean' && currency !== code ? 6 : 10;
        const text = (one: unknown) => (one == null ? null : new Decimal(String(one)).toFixed(digits));
        expect([place, name, text(own)]).toEqual([place, name, text(wanted)]);
      }
    }
  }
}

describe('FIG-25 money in one currency', () => {
  it('is converted, added and rounded once, as SQL says, in every currency and every grouping', async () => {
    for (const [code, rate] of currencies) {
      if (rate === null) continue;
      for (const by of [null, 'state', 'day'] as const) await expectSame(code, by);
    }
  });

  it('is by default that of the active company', async () => {
    await expectSame('USD', 'state', 'company');
    const other = world.as({ ...user.actor, companyId: 2 }, world.database, user.policy);
    const [row] = await group({ money: 'company' }, other);
    expect(row?.__money?.amount?.map(({ currency }) => currency)).toContain('JPY');
  });

  it('keeps amounts without a rate apart and says so: no amount is lost', async () => {
    const [row] = await group({ money: 'EUR' });
    expect(row?.__money?.amount?.map(({ currency }) => currency).sort()).toEqual(['EUR', 'XXX', null].sort());
    expect(row?.amount).toBeNull();
    // Without a rate of its own, a currency takes in no other.
    const [none] = await group({ money: 'XXX' });
    const [apart] = await group({ money: true });
    expect(none?.__money?.amount).toEqual(apart?.__money?.amount);
  });

  it('rounds half a cent of many small amounts as if they had been one', async () => {
    const { database } = world;
    await database
      .transaction(async (tx) => {
        await tx.execute(sql`delete from t_deal`);
        await tx.execute(
          sql`insert into t_deal (amount, currency_id, hidden) select 0.01, 3, false from generate_series(1, 3)`,
        );
        const env = world.as(user.actor, tx, user.policy);
        const total = async (): Promise<GroupRow | undefined> => (await group({ money: 'EUR' }, env))[0];
        expect(String((await total())?.amount)).toBe('0.01');
        await tx.execute(sql`update t_deal set amount = -0.01`);
        expect(String((await total())?.amount)).toBe('-0.01');
        await tx.execute(sql`update core_currency set rate = 12 where name = 'SIX'`);
        await tx.execute(
          sql`insert into t_deal (amount, currency_id, hidden) select -0.01, 3, false from generate_series(1, 3)`,
        );
        expect(String((await total())?.amount)).toBe('-0.01');
        throw new Error('taken back');
      })
      .catch((error: Error) => expect(error.message).toBe('taken back'));
  });

  it('accumulates before it rounds, and totals are those of all records', async () => {
    const asked = {
      groupby: ['day:year'],
      subtotals: [[]],
      fields: measured.slice(0, 1),
      domain: [['currency_id.rate', '!=', null]],
    };
    const rows = await group({
      ...asked,
      domain: [['currency_id.rate', '!=', null]],
      money: 'EUR',
      running: 'day:year',
    });
    const [whole, ...along] = rows;
    expect(String(along.at(-1)?.amount)).toBe(String(whole?.amount));
  });

  it('answers several questions of a tile in one currency, and reads the records once', async () => {
    const spec = { domain: [], groupby: ['state'], fields: measured, subtotals: [[]], money: 'EUR' };
    // The target with its rate, then one statement for all.
    const [both, one] = [
      await expectQueries(world.database, 2, () =>
        readGroups(user, user.registry.model('t.deal'), [spec, { ...spec, groupby: [], subtotals: [] }]),
      ),
      await group(spec),
    ];
    expect(both[0]).toEqual(one);
    expect(both[1]?.[0]?.__money).toEqual(one[0]?.__money);
  });

  it('rejects what is not a currency', async () => {
    await expect(group({ money: 'ZZZ' })).rejects.toThrow('There is no currency ZZZ.');
    for (const money of ['', 'eur', 'EURO', "E'R", 3, {}, ['EUR']]) {
      await expect(group({ money: money as string })).rejects.toThrow('money must be true, false,');
    }
  });

  it('needs the right to read currencies', async () => {
    const access = new Map([...user.policy.access].filter(([name]) => name !== 'core.currency'));
    const blind = world.as(user.actor, world.database, { ...user.policy, access });
    await expect(group({ money: 'EUR' }, blind)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});
