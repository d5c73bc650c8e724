import { Decimal, type Env, toJson } from '@kontor/orm';
import { expectQueries } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShop, type Shop } from './shop.ts';

let shop: Shop;
let user: Env;
let ids: { countries: number[]; partners: number[]; orders: number[]; lines: number[]; tags: number[] };

beforeAll(async () => {
  shop = await createShop();
  user = shop.user();
  const countries = await shop.insert('t.country', [
    { name: 'Austria', code: 'AT' },
    { name: 'Chile', code: 'CL' },
  ]);
  const [at, cl] = countries;
  const partners = await shop.insert('t.partner', [
    { name: 'Zoe', ref: 'Z', country_id: at, salary: '10.5', password: 'x' },
    { name: 'Abe', ref: 'A', country_id: cl },
    { name: 'Mia', hidden: true, country_id: at },
  ]);
  const [zoe, abe, mia] = partners;
  await shop.insert('t.partner', [
    { name: 'Kid', parent_id: zoe },
    { name: 'Ghost', parent_id: zoe, hidden: true },
  ]);
  const tags = await shop.insert('t.tag', [{ name: 'b' }, { name: 'a' }, { name: 'h', hidden: true }]);
  const orders = await shop.insert('t.order', [
    { name: 'O1', partner_id: zoe, total: '0.30', qty: 3, state: 'draft' },
    { name: 'O2', partner_id: abe, total: '12345678901234.5678', qty: 1, state: 'sale' },
    { name: 'O3', partner_id: mia, qty: 2 },
    { name: 'O4', qty: 2 },
  ]);
  const lines = await shop.insert('t.line', [
    { order_id: orders[0], sequence: 2, product: 'two', price: '2' },
    { order_id: orders[0], sequence: 1, product: 'one', price: '5.5' },
    { order_id: orders[1], sequence: 1, product: 'x', price: '1', hidden: true },
    { order_id: orders[1], sequence: 2, product: 'y', price: '1' },
  ]);
  await shop.link('t.order', 'tag_ids', [
    [orders[0], tags[0]],
    [orders[0], tags[1]],
    [orders[0], tags[2]],
  ] as [number, number][]);
  await shop.link('t.line', 'tag_ids', [[lines[0], tags[0]]] as [number, number][]);
  ids = { countries, partners, orders, lines, tags };
});
afterAll(() => shop.drop());

const orders = () => user.model('t.order');

describe('projection', () => {
  it('RPC-projection: a record has id and exactly the paths asked for, in that order', async () => {
    const [first] = await orders().searchRead([['name', '=', 'O1']], ['qty', 'partner_id', 'partner_id.display_name']);
    expect(first).toEqual({
      id: ids.orders[0],
      qty: 3,
      partner_id: ids.partners[0],
      'partner_id.display_name': 'Zoe (Z)',
    });
    expect(Object.keys(first as object)).toEqual(['id', 'qty', 'partner_id', 'partner_id.display_name']);
    expect(await orders().searchRead([['name', '=', 'O1']], [])).toEqual([{ id: ids.orders[0] }]);
  });

  it('RPC-projection: without one, readable stored fields and display_name, no binary, x2many or secret', async () => {
    const [partner] = await user.model('t.partner').searchRead([['name', '=', 'Zoe']]);
    expect(Object.keys(partner as object).sort()).toEqual(
      [
        'id',
        'create_date',
        'create_uid',
        'write_date',
        'write_uid',
        'display_name',
        'name',
        'ref',
        'hidden',
        'country_id',
        'parent_id',
      ].sort(),
    );
    const [order] = await orders().searchRead([['name', '=', 'O1']]);
    expect(order).not.toHaveProperty('file');
    expect(order).not.toHaveProperty('line_ids');
    expect(order).not.toHaveProperty('line_count');
    const asHr = shop.user({ groups: new Set(['hr']) });
    const [full] = await asHr.model('t.partner').searchRead([['name', '=', 'Zoe']]);
    expect(full?.salary).toEqual(new Decimal('10.5'));
    expect(full).not.toHaveProperty('password');
  });

  it('ACC-field: a field of another group or a secret asked for by name is ACCESS_DENIED, layer field', async () => {
    const denied = { code: 'ACCESS_DENIED', details: { layer: 'field' } };
    await expect(user.model('t.partner').searchRead([], ['salary'])).rejects.toMatchObject(denied);
    await expect(user.model('t.partner').searchRead([], ['password'])).rejects.toMatchObject(denied);
    await expect(orders().searchRead([], ['partner_id.salary'])).rejects.toMatchObject(denied);
    await expect(orders().searchRead([], ['name'], { order: 'partner_id.salary' })).rejects.toMatchObject(denied);
    const root = await shop.env.model('t.partner').searchRead([['name', '=', 'Zoe']], ['password']);
    expect(root[0]?.password).toBe('x');
  });

  it('RPC-projection: an unknown field is INVALID_ARGS with the nearest name', async () => {
    const bad = { code: 'INVALID_ARGS' };
    await expect(orders().searchRead([], ['nmae'])).rejects.toMatchObject({
      ...bad,
      details: { field: 'nmae' },
      message: /name/,
    });
    await expect(orders().searchRead([], ['partner_id.nope'])).rejects.toMatchObject(bad);
    await expect(orders().searchRead([], ['__proto__'])).rejects.toMatchObject(bad);
    await expect(orders().searchRead([], [''])).rejects.toMatchObject(bad);
    await expect(orders().searchRead([], [7] as never)).rejects.toMatchObject(bad);
    await expect(orders().searchRead([], 'name' as never)).rejects.toMatchObject(bad);
    await expect(orders().searchRead([], ['qty.name'])).rejects.toMatchObject(bad);
    await expect(orders().searchRead([], [{ partner_id: ['name'] }])).rejects.toMatchObject(bad);
    await expect(orders().searchRead([], Array(201).fill('name'))).rejects.toMatchObject(bad);
  });

  it('RPC-projection: dotted paths go through at most four many2ones and through no x2many', async () => {
    const deep = (hops: number) => `${'parent_id.'.repeat(hops)}name`;
    const partners = user.model('t.partner');
    expect((await partners.searchRead([['name', '=', 'Kid']], [deep(4)]))[0]).toHaveProperty(deep(4), null);
    await expect(partners.searchRead([], [deep(5)])).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    await expect(orders().searchRead([], ['line_ids.product'])).rejects.toMatchObject({
      code: 'INVALID_ARGS',
      details: { hint: expect.stringContaining('{"line_ids": ["product"]}') },
    });
  });

  it('RPC-nested: x2many are ids in the related order; nested projections give records; hidden lines are left out', async () => {
    const [order] = await orders().searchRead(
      [['name', '=', 'O1']],
      ['tag_ids', { line_ids: ['product', { tag_ids: ['name'] }] }, 'partner_id.child_ids'],
    );
    expect(order).toEqual({
      id: ids.orders[0],
      tag_ids: [ids.tags[1], ids.tags[0]],
      line_ids: [
        { id: ids.lines[1], product: 'one', tag_ids: [] },
        { id: ids.lines[0], product: 'two', tag_ids: [{ id: ids.tags[0], name: 'b' }] },
      ],
      'partner_id.child_ids': [expect.any(Number)],
    });
    const [other] = await orders().searchRead([['name', '=', 'O2']], ['line_ids', 'tag_ids']);
    expect(other).toEqual({ id: ids.orders[1], line_ids: [ids.lines[3]], tag_ids: [] });
  });
});

describe('hidden relations', () => {
  it('ACC-relations: the id stays, its name and dotted fields are null', async () => {
    const [order] = await orders().searchRead(
      [['name', '=', 'O3']],
      [
        'partner_id',
        'partner_id.display_name',
        'partner_id.country_id',
        'partner_id.country_id.name',
        'partner_id.child_ids',
        'partner_id.hidden',
        'partner_name',
      ],
    );
    expect(order).toEqual({
      id: ids.orders[2],
      partner_id: ids.partners[2],
      'partner_id.display_name': null,
      'partner_id.country_id': null,
      'partner_id.country_id.name': null,
      'partner_id.child_ids': [],
      'partner_id.hidden': null,
      partner_name: null,
    });
  });

  it('ACC-relations: a model without access shows no names, and its fields are refused', async () => {
    const without = shop.user({}, ['t.partner', 't.line']);
    const [order] = await without
      .model('t.order')
      .searchRead([['name', '=', 'O1']], ['partner_id', 'partner_id.display_name', 'line_ids']);
    expect(order).toEqual({
      id: ids.orders[0],
      partner_id: ids.partners[0],
      'partner_id.display_name': null,
      line_ids: [],
    });
    const denied = { code: 'ACCESS_DENIED', details: { model: 't.partner', layer: 'model' } };
    await expect(without.model('t.order').searchRead([], ['partner_id.name'])).rejects.toMatchObject(denied);
    await expect(without.model('t.order').searchRead([], ['partner_id.country_id.name'])).rejects.toMatchObject(denied);
    await expect(without.model('t.order').searchRead([], [{ line_ids: ['product'] }])).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await expect(without.model('t.partner').search()).rejects.toMatchObject(denied);
    await expect(without.model('t.partner').read([ids.partners[0] as number])).rejects.toMatchObject(denied);
    expect(await without.model('t.order').search([], { order: 'partner_id' })).toEqual(ids.orders);
  });
});

describe('order and pages', () => {
  it('RPC-order: fields, descending, dotted, many2one by name, ties by id', async () => {
    const names = async (order?: string) =>
      (await orders().searchRead([], ['name'], order ? { order } : {})).map((each) => each.name);
    expect(await names()).toEqual(['O4', 'O3', 'O2', 'O1']);
    expect(await names('qty, -name')).toEqual(['O2', 'O4', 'O3', 'O1']);
    expect(await names('qty')).toEqual(['O2', 'O3', 'O4', 'O1']);
    expect(await names('partner_id')).toEqual(['O2', 'O1', 'O3', 'O4']);
    expect(await names('-partner_id.name, name')).toEqual(['O3', 'O4', 'O1', 'O2']);
    expect(await names('line_count, name')).toEqual(['O3', 'O4', 'O1', 'O2']);
    expect(await names('partner_name, name')).toEqual(['O2', 'O1', 'O3', 'O4']);
  });

  it('RPC-order: what cannot be sorted by is INVALID_ARGS', async () => {
    for (const order of [
      'nope',
      'line_ids',
      'file',
      'meta',
      'summary',
      'name desc',
      'name,,qty',
      '-',
      'partner_id.nope',
      'line_ids.price',
    ]) {
      await expect(orders().search([], { order })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    }
    await expect(orders().search([], { order: 7 as never })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
  });

  it('RPC-limit: 0 gives nothing; negative, broken or text limits are INVALID_ARGS', async () => {
    expect(await orders().search([], { limit: 0 })).toEqual([]);
    expect(await orders().searchReadJson([], ['name'], { limit: 0 })).toBe('[]');
    for (const bad of [-1, 1.5, Number.NaN, '5' as never, null as never]) {
      await expect(orders().search([], { limit: bad })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
      await expect(orders().searchRead([], ['name'], { offset: bad })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    }
    await expect(orders().searchRead([], ['nope'], { limit: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
  });

  it('RPC-limit: pages of an order with ties hold every record once', async () => {
    await shop.transact(async (env) => {
      for (const order of ['state', '-state', 'partner_id', 'qty, partner_id.country_id']) {
        const seen: number[] = [];
        for (let offset = 0; offset < 4; offset++) {
          seen.push(...(await env.model('t.order').search([], { order, limit: 1, offset })));
          const [row] = await env.model('t.order').searchRead([], ['partner_id.name'], { order, limit: 1, offset });
          expect(row?.id).toBe(seen[offset]);
        }
        expect(seen.toSorted()).toEqual(ids.orders);
      }
    });
  });

  it('count counts what the caller may see', async () => {
    expect(await user.model('t.partner').count()).toBe(3);
    expect(await shop.env.model('t.partner').count()).toBe(5);
    expect(await orders().count([['qty', '>=', 2]])).toBe(3);
  });
});

describe('statements', () => {
  it('DB-one: a list page is one statement, with its count two', async () => {
    await expectQueries(shop.database, 2, async () => {
      await orders().searchReadJson(
        [['partner_id.name', '!=', 'x']],
        [
          'name',
          'total',
          'partner_id.display_name',
          'partner_id.country_id.display_name',
          'partner_name',
          'line_count',
          'double',
        ],
        { limit: 80, order: 'partner_id, -name' },
      );
      await orders().count([['partner_id.name', '!=', 'x']]);
    });
  });

  it('DB-one: two x2many are two statements more, however many records', async () => {
    await expectQueries(shop.database, 3, () => orders().read(ids.orders, ['name', 'line_ids', 'tag_ids']));
    await expectQueries(shop.database, 3, () =>
      orders().readJson(ids.orders, ['name', { line_ids: ['product'] }, 'tag_ids']),
    );
  });
});

describe('computed fields', () => {
  it('CMP-read: values of computes, aggregates and related fields on every read path', async () => {
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
    expect(await orders().read([ids.orders[0] as number], paths)).toEqual([expected]);
    expect(await orders().searchReadJson([['name', '=', 'O1']], paths)).toBe(`[${toJson(expected)}]`);
  });

  it('CMP-read: inputs are read under the system, so the value is the same for every reader', async () => {
    const without = shop.user({}, ['t.line', 't.country', 't.partner']);
    const [order] = await without.model('t.order').read([ids.orders[1] as number], ['summary', 'line_count']);
    expect(order).toEqual({ id: ids.orders[1], summary: 'Chile: x+y', line_count: 2 });
  });

  it('CMP-guard: an undeclared path throws', async () => {
    await expect(orders().read(ids.orders, ['careless'])).rejects.toThrow(/t\.order\.careless reads name/);
  });

  it('CMP-read: computes of a page are loaded together', async () => {
    await expectQueries(shop.database, 3, () => orders().searchRead([], ['summary', 'biggest_id']));
  });
});

describe('read', () => {
  it('RPC-read: keeps the order of the ids and repeats as asked', async () => {
    const [a, b] = ids.orders as [number, number];
    expect((await orders().read([b, a, b], ['name'])).map((each) => each.name)).toEqual(['O2', 'O1', 'O2']);
    expect(await orders().read([], ['name'])).toEqual([]);
  });

  it('RPC-read: missing ids are NOT_FOUND, hidden ones ACCESS_DENIED, told apart only on failure', async () => {
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
