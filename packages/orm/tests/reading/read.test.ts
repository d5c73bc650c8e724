import { Decimal, type Env, pathGuard, planReading, searchReadPerGroup, toJson } from '@kontor/orm';
import type { Domain } from '@kontor/protocol';
import { expectQueries } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Seeds, seedShop } from './seed-shop.ts';
import { createShop, type Shop, shopPolicy } from './shop.ts';

let shop: Shop;
let user: Env;
let ids: Seeds;

beforeAll(async () => {
  shop = await createShop();
  user = shop.user();
  ids = await seedShop(shop);
});
afterAll(() => shop.drop());

const orders = () => user.model('t.order');

describe('computed fields', () => {
  it('GEN-5, CMP-1 values of computes, aggregates and related fields on every read path', async () => {
    const paths = [
      'double',
      'line_count',
      'line_sum',
      'biggest_id',
      'summary',
      'chained',
      'partner_name',
      'country_id',
      'country_id.display_name',
      'partner_id.shout',
    ];
    const expected = {
      id: ids.orders[0],
      double: new Decimal('0.6'),
      line_count: 2,
      line_sum: new Decimal('7.5'),
      biggest_id: ids.lines[1],
      summary: 'Austria: one+two',
      chained: 'Austria: one+two / 0.6',
      partner_name: 'Zoe',
      country_id: ids.countries[0],
      'country_id.display_name': 'Austria',
      'partner_id.shout': 'ZOE!',
    };
    const [first] = ids.orders as [number];
    const domain: Domain = [['name', '=', 'O1']];
    expect(await orders().read([first], paths)).toEqual([expected]);
    expect(await orders().searchRead(domain, paths)).toEqual([expected]);
    const text = `[${toJson(expected)}]`;
    expect(await orders().searchReadJson(domain, paths)).toBe(text);
    expect(await orders().readJson([first], paths)).toBe(text);
    const model = user.registry.model('t.order');
    expect(await searchReadPerGroup(user, model, { domain, projection: paths, by: 'state', limit: 3 })).toEqual([
      expected,
    ]);
    await shop.database.transaction(
      async (tx) => {
        const env = shop.as({ uid: 7 }, tx, shopPolicy());
        const reading = () => planReading(env, model, { domain, projection: paths, order: undefined });
        for await (const records of reading().recordParts()) expect(records).toEqual([expected]);
        for await (const json of reading().jsonParts()) expect(json).toBe(JSON.stringify([expected]));
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  });

  it('GEN-5, CMP-1 values of computes of related records, behind many2ones and in lists', async () => {
    const nested = ['double', 'summary', 'line_count', 'partner_name'];
    const values = { double: new Decimal('0.6'), summary: 'Austria: one+two', line_count: 2, partner_name: 'Zoe' };
    const partners = user.model('t.partner');
    expect(await partners.read([ids.partners[0] as number], [{ order_ids: nested }])).toEqual([
      { id: ids.partners[0], order_ids: [{ id: ids.orders[0], ...values }] },
    ]);
    const dotted = nested.map((name) => `order_id.${name}`);
    expect(await user.model('t.line').read([ids.lines[0] as number], dotted)).toEqual([
      {
        id: ids.lines[0],
        ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`order_id.${name}`, value])),
      },
    ]);
    const [loaded] = await user
      .model('t.order')
      .load([ids.orders[0] as number], ['double', 'summary', 'partner_id.shout']);
    expect(loaded).toMatchObject({ double: values.double, summary: values.summary, partner_id: { shout: 'ZOE!' } });
  });

  it('CMP-15 a value is made from what its reader may read, unless its author says why not', async () => {
    const paths = ['summary', 'line_count', 'line_sum', 'all_lines', 'whole_summary'];
    const seenBy = async (env: Env) => (await env.model('t.order').read([ids.orders[1] as number], paths))[0];
    const everything = { all_lines: 2, whole_summary: 'Chile: x+y' };
    expect(await seenBy(shop.user({}, ['t.line', 't.country', 't.partner']))).toEqual({
      id: ids.orders[1],
      summary: 'nowhere: ',
      line_count: 0,
      line_sum: new Decimal(0),
      ...everything,
    });
    expect(await seenBy(user)).toMatchObject({ line_count: 1, summary: 'Chile: y', ...everything });
    const counted = await user.model('t.order').search([['line_count', '=', 1]]);
    expect(counted).toContain(ids.orders[1]);
    const answer = await user.model('t.order').onchange({ qty: 3, line_ids: [['set', ids.lines]] }, ['line_ids']);
    expect(answer.value?.line_count).toBe((await user.model('t.line').search([])).length);
  });

  it('CMP-3 an undeclared path throws', async () => {
    await expect(orders().read(ids.orders, ['careless'])).rejects.toThrow(/t\.order\.careless reads name/);
  });

  it('CMP-3 in production an undeclared path is not there', async () => {
    pathGuard.isStrict = false;
    try {
      const [order] = await orders().read([ids.orders[0] as number], ['careless']);
      expect(order?.careless).toBeNull();
    } finally {
      pathGuard.isStrict = true;
    }
  });

  it('CMP-1 computes of a page are loaded together', async () => {
    await expectQueries(shop.database, 3, () => orders().searchRead([], ['summary', 'biggest_id']));
  });
});

describe('read', () => {
  it('RPC-7 keeps the order of the ids and repeats as asked', async () => {
    const [a, b] = ids.orders as [number, number];
    expect((await orders().read([b, a, b], ['name'])).map((each) => each.name)).toEqual(['O2', 'O1', 'O2']);
    expect(await orders().read([], ['name'])).toEqual([]);
  });

  it('RPC-7, ACC-10 missing ids are NOT_FOUND, hidden ones ACCESS_DENIED, told apart only on failure', async () => {
    const [zoe, , mia] = ids.partners as [number, number, number];
    const partners = user.model('t.partner');
    await expectQueries(shop.database, 1, () => partners.read([zoe], ['name']));
    await expect(partners.read([zoe, 999, mia, 998], ['name'])).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { model: 't.partner', missing_ids: [999, 998] },
    });
    await expect(partners.readJson([zoe, mia], ['name'])).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'rule' },
    });
    await expect(partners.read([0, -1, 2 ** 40], ['name'])).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { missing_ids: [0, -1, 2 ** 40] },
    });
    await expect(partners.read(['1'] as never, ['name'])).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    await expect(partners.read([1.5], ['name'])).rejects.toMatchObject({ code: 'INVALID_ARGS' });
  });
});

describe('load', () => {
  it('gives nested records for server code', async () => {
    const [order] = await shop.env
      .model('t.order')
      .load(
        [ids.orders[0] as number],
        ['name', 'partner_id.country_id.name', 'line_ids.price', 'line_ids.tag_ids', 'biggest_id', 'tag_ids'],
      );
    expect(order).toEqual({
      id: ids.orders[0],
      name: 'O1',
      partner_id: { id: ids.partners[0], country_id: { id: ids.countries[0], name: 'Austria' } },
      line_ids: [
        { id: ids.lines[1], price: new Decimal('5.5'), tag_ids: [] },
        { id: ids.lines[0], price: new Decimal('2'), tag_ids: [{ id: ids.tags[0] }] },
      ],
      biggest_id: { id: ids.lines[1] },
      tag_ids: [{ id: ids.tags[1] }, { id: ids.tags[0] }, { id: ids.tags[2] }],
    });
  });

  it('loads under the rights of its env: hidden many2ones keep their id', async () => {
    const loaded = await user
      .model('t.order')
      .load(ids.orders.slice(2), ['partner_id.country_id.name', 'partner_id.child_ids']);
    expect(loaded).toEqual([
      { id: ids.orders[2], partner_id: { id: ids.partners[2], country_id: null, child_ids: [] } },
      { id: ids.orders[3], partner_id: null },
    ]);
    await expect(user.model('t.order').load([1], ['nope'])).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    await expect(user.model('t.order').load([1], ['name.x'])).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    await expect(user.model('t.order').load([1], ['partner_id.salary'])).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
  });
});
