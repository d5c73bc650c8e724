import { Decimal, type Env } from '@kontor/orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Seeds, seedShop } from './seed-shop.ts';
import { createShop, type Shop } from './shop.ts';

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

describe('projection', () => {
  it('REC-2 a record has id and exactly the paths asked for, in that order', async () => {
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

  it('REC-4 without one, readable stored fields and display_name, no binary, x2many or secret', async () => {
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

  it('REC-6, ACC-3, ACC-4 a field of another group or a secret asked for by name is ACCESS_DENIED, layer field', async () => {
    const denied = { code: 'ACCESS_DENIED', details: { layer: 'field' } };
    await expect(user.model('t.partner').searchRead([], ['salary'])).rejects.toMatchObject(denied);
    await expect(user.model('t.partner').searchRead([], ['password'])).rejects.toMatchObject(denied);
    await expect(orders().searchRead([], ['partner_id.salary'])).rejects.toMatchObject(denied);
    await expect(orders().searchRead([], ['name'], { order: 'partner_id.salary' })).rejects.toMatchObject(denied);
    const root = await shop.env.model('t.partner').searchRead([['name', '=', 'Zoe']], ['password']);
    expect(root[0]?.password).toBe('x');
  });

  it('REC-9 an unknown field is INVALID_ARGS with the nearest name', async () => {
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
    await expect(orders().searchRead([], Array(2_001).fill('name'))).rejects.toMatchObject(bad);
  });

  it('REC-2 dotted paths go through at most four many2ones and through no x2many', async () => {
    const deep = (hops: number) => `${'parent_id.'.repeat(hops)}name`;
    const partners = user.model('t.partner');
    expect((await partners.searchRead([['name', '=', 'Kid']], [deep(4)]))[0]).toHaveProperty(deep(4), null);
    await expect(partners.searchRead([], [deep(5)])).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    await expect(orders().searchRead([], ['line_ids.product'])).rejects.toMatchObject({
      code: 'INVALID_ARGS',
      details: { hint: expect.stringContaining('{"line_ids": ["product"]}') },
    });
  });

  it('REC-3 x2many are ids in the related order; nested projections give records; hidden lines are left out', async () => {
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
  it('REC-7 the id stays, its name and dotted fields are null', async () => {
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

  it('REC-7 a model without access shows no names, and its fields are refused', async () => {
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
