import { sql } from '@kontor/database';
import { defineModel, type Env, fields } from '@kontor/orm';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const definitions = [
  defineModel('core.currency', { order: 'name', fields: { name: fields.char() } }),
  defineModel('t.deal', {
    fields: {
      state: fields.char(),
      turnover: fields.monetary(),
      margin: fields.monetary({ groups: ['managers'] }),
      currency_id: fields.many2one('core.currency'),
      margin_percent: fields.decimal({ precision: [9, 2], aggregate: { ratio: ['margin', 'turnover'], times: 100 } }),
      probability: fields.decimal({ precision: [5, 2], aggregate: 'average' }),
      gate: fields.integer({ aggregate: 'none' }),
    },
  }),
];

let world: TestWorld;
let manager: Env;

beforeAll(async () => {
  world = await createTestEnv(definitions);
  manager = world.env;
  await world.database.execute(sql`insert into core_currency (name) values ('EUR'), ('USD')`);
  await world.database.execute(sql`insert into t_deal (state, turnover, margin, margin_percent, probability, currency_id) values
    ('won', 1000, 100, 10, 100, 1), ('won', 10, 9, 90, 100, 1), ('open', 90, 0, 0, 20, 1), ('free', 0, 0, 0, 50, 1)`);
});
afterAll(() => world.drop());

const percent = { name: 'percent', field: 'margin_percent', measure: 'ratio' } as const;
const text = (value: unknown) => (value === null ? null : String(value));

describe('FIG-18 a measure is aggregated as its field says', () => {
  it('of a ratio every subtotal is the ratio of its sums, never a sum or an average of percentages', async () => {
    const rows = await manager
      .model('t.deal')
      .readGroup({ domain: [], groupby: ['state'], fields: [percent], subtotals: [[]] });
    expect(rows.map((row) => [row.state ?? 'all', text(row.percent)])).toEqual([
      ['all', '9.91'],
      ['free', null],
      ['open', '0'],
      ['won', '10.79'],
    ]);
    const [one] = await manager.model('t.deal').readGroup({ domain: [], groupby: [], fields: [percent] });
    expect(text(one?.percent)).toBe('9.91');
  });

  it('amounts in several currencies have no ratio together, and one each', async () => {
    await world.database.execute(
      sql`insert into t_deal (state, turnover, margin, currency_id) values ('far', 100, 50, 2)`,
    );
    const [all] = await manager.model('t.deal').readGroup({ domain: [], groupby: [], fields: [percent], money: true });
    expect(all?.percent).toBeNull();
    expect(all?.__money?.percent?.map(({ currency, value }) => [currency, text(value)])).toEqual([
      ['EUR', '9.91'],
      ['USD', '50'],
    ]);
    await world.database.execute(sql`delete from t_deal where state = 'far'`);
  });

  it.each([
    ['margin_percent', 'sum'],
    ['probability', 'sum'],
    ['turnover', 'ratio'],
    ['probability', 'ratio'],
    ['gate', 'sum'],
    ['gate', 'avg'],
  ] as const)('%s has no %s', async (field, measure) => {
    const asked = manager
      .model('t.deal')
      .readGroup({ domain: [], groupby: [], fields: [{ name: 'm', field, measure }] });
    await expect(asked).rejects.toMatchObject({ code: 'INVALID_ARGS', message: `${field} has no ${measure}.` });
  });

  it('whoever may not read a part of a ratio may not read the ratio', async () => {
    const asked = world
      .as({ uid: 7 })
      .model('t.deal')
      .readGroup({ domain: [], groupby: [], fields: [percent] });
    await expect(asked).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});
