import { sql } from '@kontor/database';
import { inSavepoint, type Kernel } from '@kontor/kernel';
import { cachedRows, type Env, recomputeAll } from '@kontor/orm';
import { countStatements, createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let world: TestKernel;
let other: Kernel;
let currency: number;
let team: number;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['sale'] });
  other = await world.another();
  await world.work(async (env) => {
    currency = await env.model('core.currency').create({ name: 'ZZZ', full_name: 'Zed', symbol: 'Z', rate: '1' });
    team = await env.model('sale.team').create({ name: 'North' });
  });
});
afterAll(() => world.close());

const symbolIn = async (env: Env) => (await env.model('core.currency').load([currency], ['symbol']))[0]?.symbol;
const symbol = () => world.work(symbolIn);
const inOther = async <T>(run: (env: Env) => Promise<T>) => (await other.transact(world.admin, run)).result;
const setSymbol = (value: string) => (env: Env) => env.model('core.currency').write([currency], { symbol: value });

it('PRF-29 rows of cached models are read once, for one question in each unit of work', async () => {
  const read = () =>
    world.work(async (env) => {
      await env.model('core.currency').load([currency], ['symbol', 'rate_ids.rate']);
      await env.model('sale.team').load([team], ['member_ids.name']);
      await env.sudo().model('sale.stage').searchRead([], ['name']);
    });
  const first = await countStatements(read);
  expect(await countStatements(read)).toBe(first - 5);
});

it('PRF-29 what any process committed is seen at once', async () => {
  await setSymbolEverywhere('a');
  for (const value of ['b', 'c', 'd']) {
    await inOther(setSymbol(value));
    expect(await symbol()).toBe(value);
  }
  const members = () => world.work((env) => env.model('sale.team').load([team], ['member_ids']));
  const before = await members();
  await inOther((env) => env.model('sale.team').write([team], { member_ids: [['link', world.admin.uid]] }));
  expect(await members()).not.toEqual(before);
});

async function setSymbolEverywhere(value: string): Promise<void> {
  await world.work(setSymbol(value));
  expect([await symbol(), await inOther(symbolIn)]).toEqual([value, value]);
}

it('PRF-29 a unit of work sees its own changes, and nobody else before they are committed', async () => {
  await setSymbolEverywhere('old');
  await world.work(async (env) => {
    expect(await symbolIn(env)).toBe('old');
    await setSymbol('new')(env);
    expect(await symbolIn(env)).toBe('new');
    expect([await symbol(), await inOther(symbolIn)]).toEqual(['old', 'old']);
  });
  expect([await symbol(), await inOther(symbolIn)]).toEqual(['new', 'new']);
  const failed = world.work(async (env) => {
    await setSymbol('never')(env);
    expect(await symbolIn(env)).toBe('never');
    throw new Error('Taken back');
  });
  await expect(failed).rejects.toThrow('Taken back');
  expect([await symbol(), await inOther(symbolIn)]).toEqual(['new', 'new']);
});

it('PRF-29 a unit of work that has locked a record reads what was committed before', async () => {
  await setSymbolEverywhere('before');
  await world.work(async (env) => {
    expect(await symbolIn(env)).toBe('before');
    await inOther(setSymbol('after'));
    await env.model('core.currency').write([currency], { rate: '2' });
    expect(await symbolIn(env)).toBe('after');
  });
});

it('PRF-29 a row that others have read meanwhile is not kept for those who come later', async () => {
  await setSymbolEverywhere('x');
  await inOther(setSymbol('y'));
  const [seen, later] = await world.work(async (env) => {
    const early = await symbolIn(env);
    await inOther(setSymbol('z'));
    return [early, await symbol()];
  });
  expect([seen, later, await symbol()]).toEqual(['y', 'z', 'z']);
});

it('PRF-29 values that are recomputed without a change are read again', async () => {
  const category = await world.work((env) => env.model('product.category').create({ name: 'Tools' }));
  const path = () => world.work((env) => env.model('product.category').load([category], ['path']));
  const right = await path();
  await world.kernel.database.execute(sql`update product_category set path = 'wrong' where id = ${category}`);
  await world.work(setSymbol('q'));
  expect(await path()).not.toEqual(right);
  await world.work((env) => recomputeAll(env.sudo(), env.registry.model('product.category'), ['path']));
  expect(await path()).toEqual(right);
});

it('PRF-29 a statement that also reads other models is not cached, nor is one for an old state', async () => {
  const partner = await world.work((env) => env.model('core.partner').create({ name: 'Ada' }));
  const company = world.admin.companyId as number;
  await world.work((env) => env.sudo().model('core.company').write([company], { partner_id: partner }));
  const name = () => world.work((env) => env.sudo().model('core.company').load([company], ['partner_id.name']));
  expect(await name()).toMatchObject([{ partner_id: { name: 'Ada' } }]);
  await inOther((env) => env.model('core.partner').write([partner], { name: 'Grace' }));
  expect(await name()).toMatchObject([{ partner_id: { name: 'Grace' } }]);

  await setSymbolEverywhere('1');
  const seen = await world.kernel.read(
    world.admin,
    async (env) => {
      const first = await symbolIn(env);
      await inOther(setSymbol('2'));
      expect(await symbol()).toBe('2');
      return [first, await symbolIn(env)];
    },
    { isSudo: true, snapshot: { signal: new AbortController().signal } },
  );
  expect(seen).toEqual(['1', '1']);
});

it('PRF-29 what fails in a savepoint is asked again after it', async () => {
  await setSymbolEverywhere('s');
  await world.work(async (env) => {
    const failed = inSavepoint(env, async () => {
      await env.db.execute(sql`select 1 / 0`).catch(() => {});
      return symbolIn(env);
    });
    await expect(failed).rejects.toThrow(/aborted/);
    expect(await symbolIn(env)).toBe('s');
  });
});

it('PRF-29 rows take a bounded amount of memory', () => {
  const rows = cachedRows();
  rows.set('large', [['x'.repeat(600_000)]]);
  expect(rows.get('large')).toBeUndefined();
  const answer = [['x'.repeat(400_000)]];
  for (let i = 0; i < 60; i++) rows.set(`statement ${i}`, answer);
  const kept = Array.from({ length: 60 }, (_, i) => rows.get(`statement ${i}`)).filter((each) => each !== undefined);
  expect([kept.length > 0, kept.length < 50, rows.get('statement 59')]).toEqual([true, true, answer]);
});

it('PRF-29 links to cached records are checked in memory, and refused as soon as any process has deleted one', async () => {
  const makeTax = (env: Env) => env.sudo().model('sale.tax').create({ name: 'Levy', percent: '3' });
  const tax = await inOther(makeTax);
  const product = await world.work(async (env) => {
    const [unit] = await env.model('product.uom').search([], { limit: 1 });
    return env.model('product.product').create({ name: 'Anvil', uom_id: unit as number });
  });
  const setTaxes = (ids: readonly number[]) =>
    world.work((env) => env.model('product.product').write([product], { sale_tax_ids: [['set', ids]] }));
  const first = await countStatements(() => setTaxes([tax]));
  await setTaxes([]);
  expect(await countStatements(() => setTaxes([tax]))).toBe(first - 1);
  await setTaxes([]);
  await inOther((env) => env.sudo().model('sale.tax').unlink([tax]));
  await expect(setTaxes([tax])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});
