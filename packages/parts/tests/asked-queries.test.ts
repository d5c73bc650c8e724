import { sql } from '@kontor/database';
import { type AskedCount, takeAsked } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepAsked, readAsked } from '../queries/asked-query.ts';
import { proposeIndexes, readTableFacts, type TableFacts } from '../queries/propose-indexes.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
});
afterAll(() => world.close());

const partners = (asked: readonly AskedCount[]) =>
  asked
    .filter(({ model }) => model === 'core.partner')
    .map(({ equal, range, order, count }) => ({ equal, range, order, count }));

describe('PRF-21 what is asked', () => {
  it('PRF-21 is counted by fields and order, without values, also where the plan of a page is kept', async () => {
    takeAsked();
    await world.kernel.read(
      world.admin,
      async (env) => {
        const model = env.model('core.partner');
        for (const city of ['Berlin', 'Berlin', 'Paris'])
          await model.searchReadJson([['city', '=', city]], ['name'], { limit: 80, order: '-create_date' });
        await model.search(['&', ['city', 'in', ['Rome']], ['create_date', '>', '2020-01-01']], { order: 'name' });
        await model.count(['|', ['city', '=', 'Rome'], ['zip', '=', '1']]);
        await model.readGroup({ domain: [['city', '=', 'secret text']], groupby: ['country_id'], fields: [] });
        await model.searchRead([['country_id.code', '=', 'DE']], ['name'], { order: 'country_id' });
      },
      { isOutside: true },
    );
    const asked = takeAsked();
    expect(partners(asked)).toEqual([
      { equal: ['city'], range: [], order: '-create_date', count: 3 },
      { equal: ['city'], range: ['create_date'], order: 'name', count: 1 },
      { equal: [], range: [], order: '', count: 2 },
      { equal: ['city'], range: [], order: '', count: 1 },
    ]);
    expect(JSON.stringify(asked)).not.toContain('secret text');
    expect(takeAsked()).toEqual([]);
  });

  it('PRF-21 is added up over processes, and a name that is longer than its column is left out', async () => {
    const one = { model: 'core.partner', equal: ['city'], range: [], order: '-create_date', count: 3, ms: 5 };
    const { database } = world.kernel;
    await database.execute(sql`delete from sys_asked_query`);
    await keepAsked(database, [one, { ...one, order: '' }, { ...one, equal: ['x'.repeat(1_001)] }]);
    await Promise.all([keepAsked(database, [one]), keepAsked(database, [{ ...one, count: 2_000_000_000 }])]);
    expect(await readAsked(database)).toEqual([
      { ...one, count: 2_000_000_000, ms: 15 },
      { ...one, order: '' },
    ]);
  });
});

describe('PRF-22 proposals', () => {
  const facts: TableFacts = {
    rows: 100_000,
    distinct: new Map(Object.entries({ city: 40_000, zip: 50, is_company: 2, name: 90_000, create_date: 100_000 })),
  };
  const propose = (asked: readonly Partial<AskedCount>[], known: TableFacts = facts) =>
    proposeIndexes(
      world.kernel.registry,
      asked.map((one, at) => ({
        ...{ model: 'core.partner', equal: [], range: [], order: '', count: 1, ms: 100 - at },
        ...one,
      })),
      () => known,
    ).map(({ index, asked: ways, readsNow, readsThen }) => [index, ways.length, readsNow, Math.round(readsThen)]);

  it('PRF-22 one field where its values are rare, else all of them and the order', () => {
    expect(propose([{ equal: ['city', 'zip'], order: 'zip' }])).toEqual([['city', 1, 100_000, 3]]);
    expect(propose([{ equal: ['zip'], order: '-create_date' }])).toEqual([['zip, -create_date', 1, 100_000, 80]]);
    expect(propose([{ order: '-create_date, name' }])).toEqual([['-create_date, name', 1, 100_000, 80]]);
    expect(propose([{ order: '-create_date' }])).toEqual([['create_date', 1, 100_000, 80]]);
  });

  it('PRF-22 none where one is there, where the table is small, or where it would save little', () => {
    expect(propose([{ equal: ['country_id'] }], { ...facts, distinct: new Map([['country_id', 200]]) })).toEqual([]);
    expect(propose([{ order: '-id' }, { equal: ['id'] }])).toEqual([]);
    expect(propose([{ equal: ['city'] }], { ...facts, rows: 4_000 })).toEqual([]);
    expect(propose([{ equal: ['is_company'] }, { range: ['create_date'] }])).toEqual([]);
    expect(propose([{ equal: ['was_there_once'] }, { model: 'no.model', equal: ['city'] }])).toEqual([]);
  });

  it('PRF-22 one for several questions, that which takes longest first', () => {
    const cities = [
      { equal: ['city'], order: 'name', ms: 50 },
      { equal: ['city'], ms: 9 },
    ];
    expect(propose([{ equal: ['zip'], order: 'name', ms: 5 }, ...cities])).toEqual([
      ['city', 2, 100_000, 3],
      ['zip, name', 1, 4_000, 80],
    ]);
  });

  it('PRF-22 reads rows and different values from the database', async () => {
    const { database } = world.kernel;
    await database.execute(sql`
      insert into core_partner (name, city, active, create_date, write_date)
      select 'P' || n, 'City ' || n % 3000, true, now(), now() from generate_series(1, 6000) n`);
    await database.execute(sql`analyze core_partner`);
    const found = (await readTableFacts(database, ['core_partner', 'no_table'])).get('core_partner');
    expect(found?.rows).toBeGreaterThanOrEqual(6_000);
    expect(found?.distinct.get('city')).toBeGreaterThan(2_000);
    expect(propose([{ equal: ['city'] }], found as TableFacts)).toMatchObject([['city', 1, found?.rows, 2]]);
  });
});
