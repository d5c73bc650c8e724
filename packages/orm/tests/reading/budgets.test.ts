import { sql } from '@kontor/database';
import { budgets, defineModel, type Env, fields } from '@kontor/orm';
import { type KontorError, parseDomain } from '@kontor/protocol';
import { createTestEnv, expectQueries, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rulePredicate } from '../../domain/rule-predicate.ts';
import { createShop, type Shop } from './shop.ts';

let shop: Shop;
let outside: Env;
beforeAll(async () => {
  shop = await createShop();
  outside = shop.user().outside(true);
  await shop.database.execute(sql`
    insert into t_order (name, note) select 'N' || n, repeat('x', 4000) from generate_series(1, 10001) n`);
});
afterAll(() => shop.drop());

const details = (work: () => Promise<unknown>) =>
  work().then(
    () => 'OK',
    ({ code, details: { budget, limit } }: KontorError) => `${code} ${budget} ${limit}`,
  );
const over = (budget: string, limit: number) => `INVALID_ARGS ${budget} ${limit}`;
const long = `partner_id${'.parent_id'.repeat(5)}.name`;
const times = (count: number, path: string) => Array.from({ length: count }, (_, n) => [path, '=', `x${n}`] as const);

describe('CST-1 the conditions of a domain go through so many relations and no more', () => {
  it('whatever they ask, and in every method', async () => {
    const orders = outside.model('t.order');
    const { relations } = budgets;
    for (const [domain, outcome] of [
      [times(relations / 6, long), 'OK'],
      [times(relations / 6 + 1, long), over('relations', relations)],
      [times(120, `partner_id${'.parent_id'.repeat(5)}.name`), over('relations', relations)],
      [times(relations, 'partner_id.name'), 'OK'],
      [times(relations + 1, 'partner_id.name'), over('relations', relations)],
      [times(relations + 1, 'line_ids.product'), over('relations', relations)],
      [times(relations + 1, 'partner_id'), over('relations', relations)],
      [Array(relations + 1).fill(['partner_id', '=', 7]), 'OK'],
      [times(900, 'name'), 'OK'],
    ] as const) {
      const asked = parseDomain(domain);
      for (const work of [
        () => orders.search(asked, { limit: 1 }),
        () => orders.count(asked),
        () => orders.searchReadJson(asked, ['name'], { limit: 1 }),
        () => orders.readGroup({ domain: asked, groupby: [], fields: [] }),
      ]) {
        expect([domain.length, domain[0], await details(work)]).toEqual([domain.length, domain[0], outcome]);
      }
    }
  });

  it('asks the database nothing', async () => {
    const refused = () => details(() => outside.model('t.order').search(parseDomain(times(120, long))));
    expect(await expectQueries(shop.database, 0, refused)).toBe(over('relations', budgets.relations));
  });

  it('record rules and server code are not counted', async () => {
    const domain = parseDomain(times(121, 'partner_id.name'));
    const rule = { name: 'long', domain, groups: [], operations: new Set(['read'] as const) };
    const bound = shop.as({}, shop.database, { rules: new Map([['t.order', [rule]]]) });
    expect(rulePredicate(bound, bound.registry.model('t.order'), 'read', 't')).not.toBeNull();
    expect(await details(() => bound.outside(true).model('t.order').search([]))).toBe('OK');
    expect(await details(() => outside.sudo().model('t.order').count(domain))).toBe('OK');
  });
});

describe('CST-2 paths of fields, order and groups join so many relations and no more', () => {
  const names = [...'abcdefgh'];
  const node = defineModel('t.node', {
    fields: { name: fields.char(), ...Object.fromEntries(names.map((name) => [name, fields.many2one('t.node')])) },
  });
  let nodes: TestWorld;
  beforeAll(async () => {
    nodes = await createTestEnv([node]);
  });
  afterAll(() => nodes.drop());

  it('however they are spread; each beginning counts once', async () => {
    const paths = names.flatMap((one) => names.map((other) => `${one}.${other}.name`));
    const records = nodes.as({}).outside(true).model('t.node');
    const read = (fields: string[], order = 'id') =>
      details(() => records.searchReadJson([], fields, { order, limit: 1 }));
    // Seven first steps with eight second ones each, and one more first step, are the 64.
    expect(await read([...paths.slice(0, 56), 'h.name', 'a.a.id', 'a.b.id'])).toBe('OK');
    expect(await read(paths)).toBe(over('joins', budgets.joins));
    expect(await read([...paths.slice(0, 56), 'h.name'], 'h.a.name')).toBe(over('joins', budgets.joins));
    const many = Array.from({ length: budgets.paths.outside + 1 }, () => 'name');
    expect(await read(many)).toBe(over('paths', budgets.paths.outside));
  });
});

describe('CST-3 groups', () => {
  const spec = { domain: [], groupby: ['name'], fields: [] };
  const groups = (more: object, env = outside) => env.model('t.order').readGroup({ ...spec, ...more });

  it('more than the limit are refused, also where a larger one is given; fewer come', async () => {
    expect(await details(() => groups({}))).toBe(over('groups', 10_000));
    expect(await details(() => groups({ limit: 10_001 }))).toBe(over('groups', 10_000));
    expect(await groups({ limit: 10_000 })).toHaveLength(10_000);
    expect(await groups({ domain: [['name', '!=', 'N1']] })).toHaveLength(10_000);
    expect(await groups({}, shop.user())).toHaveLength(10_001);
  });

  it('each carries the domain of the call, which counts for all of them', async () => {
    const values = Array.from({ length: 1_000 }, (_, n) => `a long value to look for, number ${n}`);
    const domain = [['name', 'not in', values]];
    expect(await details(() => groups({ domain, limit: 10_000 }))).toBe(over('bytes', budgets.bytes));
    expect(await groups({ domain, limit: 10 })).toHaveLength(10);
  });
});

describe('CST-4 bytes of an answer', () => {
  it('what the database gives, and what is written from it', async () => {
    const orders = outside.model('t.order');
    expect(await details(() => orders.searchReadJson([], ['note']))).toBe(over('bytes', budgets.bytes));
    expect(await details(() => orders.searchRead([], ['note', 'line_ids']))).toBe(over('bytes', budgets.bytes));
    expect(await details(() => orders.searchRead([], ['note'], { limit: 500 }))).toBe('OK');
    const [id] = await orders.search([], { limit: 1 });
    const often = Array.from({ length: 9_000 }, () => id as number);
    expect(await details(() => orders.readJson(often, ['note']))).toBe(over('bytes', budgets.bytes));
    expect(await shop.user().model('t.order').searchRead([], ['note'])).toHaveLength(10_001);
  });
});
