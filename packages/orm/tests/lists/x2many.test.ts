import type { Env } from '@kontor/orm';
import { expectQueries, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, openShop, refusal, ruleOn } from '../writing/shop.ts';

let shop: TestWorld;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.drop());

const user = { uid: 2 };
const write = (env: Env, id: number, values: Record<string, unknown>) => env.model('shop.order').write([id], values);

async function idsOf(env: Env, id: number, field: string): Promise<number[]> {
  const [record] = await env.sudo().model('shop.order').read([id], [field]);
  return [...((record?.[field] as number[] | undefined) ?? [])].sort((a, b) => a - b);
}

async function orderWithLines(env: Env, products: readonly string[]): Promise<{ id: number; lines: number[] }> {
  const id = await makeOrder(env, { line_ids: products.map((product) => ['create', { product, price: 1 }]) });
  return { id, lines: await idsOf(env, id, 'line_ids') };
}

describe('one2many commands', () => {
  it('REC-8 x2many create, update and delete in one write', async () => {
    await shop.transact(async (env) => {
      const { id, lines } = await orderWithLines(env, ['A', 'B']);
      await write(env, id, {
        line_ids: [
          ['create', { product: 'C', price: 4 }],
          ['update', lines[0], { price: 7 }],
          ['delete', lines[1]],
        ],
      });
      const read = await env
        .model('shop.line')
        .searchRead([['order_id', '=', id]], ['product', 'subtotal'], { order: 'id' });
      expect(read.map((line) => `${line.product} ${line.subtotal}`)).toEqual(['A 7', 'C 4']);
      expect(String((await env.model('shop.order').read([id], ['amount']))[0]?.amount)).toBe('11');
    });
  });

  it('REC-8 x2many updates of many lines are not a statement a line', async () => {
    await shop.transact(async (env) => {
      const { id, lines } = await orderWithLines(
        env,
        Array.from({ length: 60 }, (_, index) => `P${index}`),
      );
      const commands = lines.map((line, index) => ['update', line, { qty: index + 1 }]);
      await expectQueries(env.db, { atMost: 12 }, () => write(env, id, { line_ids: commands }));
      expect(String((await env.model('shop.order').read([id], ['amount']))[0]?.amount)).toBe('1830');
    });
  });

  it('REC-8 x2many link moves a line here, set replaces, clear empties', async () => {
    await shop.transact(async (env) => {
      const from = await orderWithLines(env, ['A']);
      const to = await orderWithLines(env, ['B', 'C']);
      await write(env, to.id, { line_ids: [['link', from.lines[0]]] });
      expect(await idsOf(env, from.id, 'line_ids')).toEqual([]);
      expect(await idsOf(env, to.id, 'line_ids')).toEqual([from.lines[0], ...to.lines]);
      await write(env, to.id, { line_ids: [['set', [to.lines[0]]]] });
      expect(await idsOf(env, to.id, 'line_ids')).toEqual([to.lines[0]]);
      expect(await env.model('shop.line').count([['id', 'in', [from.lines[0], to.lines[1]]]])).toBe(0);
      await write(env, to.id, { line_ids: [['clear']] });
      expect(await idsOf(env, to.id, 'line_ids')).toEqual([]);
    });
  });

  it('REC-8 x2many unlink empties a nullable inverse and refuses where a line cannot be alone', async () => {
    await shop.transact(async (env) => {
      const id = await makeOrder(env, {
        memo_ids: [['create', { text: 'm' }]],
        invoice_ids: [['create', { ref: 'i' }]],
      });
      const [memo] = await idsOf(env, id, 'memo_ids');
      await write(env, id, { memo_ids: [['unlink', memo]] });
      expect((await env.model('shop.memo').read([memo as number], ['order_id']))[0]?.order_id).toBeNull();
      const [invoice] = await idsOf(env, id, 'invoice_ids');
      expect(await refusal(write(env, id, { invoice_ids: [['unlink', invoice]] }))).toMatchObject({
        code: 'USER_ERROR',
      });
    });
  });

  it('REC-8 x2many refuses lines of other records', async () => {
    await shop.transact(async (env) => {
      const own = await orderWithLines(env, ['A']);
      const other = await orderWithLines(env, ['B']);
      for (const command of [
        ['update', other.lines[0], { qty: 9 }],
        ['delete', other.lines[0]],
      ]) {
        expect(await refusal(write(env, own.id, { line_ids: [command] }))).toMatchObject({
          code: 'VALIDATION_ERROR',
          details: { fields: { line_ids: [expect.any(String)] } },
        });
      }
    });
  });

  it('REC-8 x2many commands of the wrong shape are told at the field', async () => {
    await shop.transact(async (env) => {
      const id = await makeOrder(env);
      for (const bad of ['x', 5, [5], [['frob', 1]], [['create']], [['link', 'a']], [['set', [0]]], [['update', 1]]]) {
        expect(await refusal(write(env, id, { line_ids: bad }))).toMatchObject({
          code: 'VALIDATION_ERROR',
          details: { fields: { line_ids: [expect.any(String)] } },
        });
      }
    });
  });

  it('REC-10 bad values of a line are told at the list', async () => {
    await shop.transact(async (env) => {
      const id = await makeOrder(env);
      const commands = [
        ['create', { product: 'ok' }],
        ['create', { qty: 'x' }],
      ];
      expect(await refusal(write(env, id, { line_ids: commands }))).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: {
          model: 'shop.order',
          fields: { line_ids: [expect.any(String)] },
          lines: {
            field: 'line_ids',
            model: 'shop.line',
            rows: [{ index: 1, fields: { product: [expect.any(String)] } }],
          },
        },
      });
    });
  });

  it('ACC-2 lines follow the rights on the lines; the inverse is set by the server', async () => {
    const { id, lines } = await shop.transact((env) => orderWithLines(env, ['A']));
    const outside = { line_ids: [['create', { product: 'B' }]] };
    await shop.transact((env) => write(env.outside(true), id, outside), user);
    const readonly = [['update', lines[0], { discount: 50 }]];
    expect(
      await refusal(shop.transact((env) => write(env.outside(true), id, { line_ids: readonly }), user)),
    ).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'field', model: 'shop.line' },
    });
    const noLines = {
      access: new Map([['shop.order', [{ group: null, read: true, write: true, create: true, unlink: true }]]]),
    };
    const denied = shop.database.transaction((tx) => write(shop.as(user, tx, noLines), id, outside));
    expect(await refusal(denied)).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'model', model: 'shop.line' },
    });
  });

  it('ACC-2 set leaves lines that the caller cannot see alone', async () => {
    const { id, lines } = await shop.transact((env) => orderWithLines(env, ['A', 'hidden', 'C']));
    await shop.database.transaction((tx) => {
      const env = shop.as(user, tx, ruleOn('shop.line', [['product', '!=', 'hidden']]));
      return write(env, id, { line_ids: [['set', [lines[0]]]] });
    });
    expect(await idsOf(shop.env, id, 'line_ids')).toEqual(lines.slice(0, 2));
  });
});

describe('many2many commands', () => {
  const changesOf = (env: Env, id: number) =>
    env.work.changes.filter((change) => change.model === 'shop.order' && change.id === id && change.values.tag_ids);

  it('REC-8 x2many link, unlink, set and clear, with old and new ids recorded', async () => {
    await shop.transact(async (env) => {
      const [a, b, c] = await env.model('shop.label').createMany([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
      const id = await makeOrder(env, {
        tag_ids: [
          ['link', a],
          ['link', b],
        ],
      });
      await write(env, id, {
        tag_ids: [
          ['unlink', a],
          ['link', c],
        ],
      });
      expect(changesOf(env, id).at(-1)?.values.tag_ids).toEqual({ old: [a, b], new: [b, c] });
      await write(env, id, { tag_ids: [['set', [a]]] });
      expect(await idsOf(env, id, 'tag_ids')).toEqual([a]);
      await write(env, id, { tag_ids: [['clear']] });
      expect(changesOf(env, id).at(-1)?.values.tag_ids).toEqual({ old: [a], new: [] });
    });
  });

  it('REC-8 x2many that change nothing write nothing', async () => {
    await shop.transact(async (env) => {
      const tag = await env.model('shop.label').create({ name: 'a' });
      const id = await makeOrder(env, { tag_ids: [['link', tag]] });
      const before = env.work.changes.length;
      await write(env, id, { tag_ids: [['set', [tag]]] });
      await write(env, id, {
        tag_ids: [
          ['link', tag],
          ['unlink', 12_345],
        ],
      });
      await write(env, id, { tag_ids: [], line_ids: [] });
      expect(env.work.changes).toHaveLength(before);
    });
  });

  it('REC-8 x2many create makes and links, update and delete reach the record itself', async () => {
    await shop.transact(async (env) => {
      const id = await makeOrder(env, {
        tag_ids: [
          ['create', { name: 'x' }],
          ['create', { name: 'y' }],
        ],
      });
      const [x, y] = (await idsOf(env, id, 'tag_ids')) as [number, number];
      await write(env, id, {
        tag_ids: [
          ['update', x, { name: 'z' }],
          ['delete', y],
        ],
      });
      expect(await env.model('shop.label').searchRead([['id', 'in', [x, y]]], ['name'])).toEqual([
        { id: x, name: 'z' },
      ]);
    });
  });

  it('CMP-2 both sides of a many2many are recomputed', async () => {
    await shop.transact(async (env) => {
      const tag = await env.model('shop.label').create({ name: 'a' });
      const id = await makeOrder(env, { tag_ids: [['link', tag]] });
      const count = async () => (await env.model('shop.label').read([tag], ['order_count']))[0]?.order_count;
      expect(await count()).toBe(1);
      await write(env, id, { tag_ids: [['clear']] });
      expect(await count()).toBe(0);
    });
  });

  it('ACC-2 links to hidden records are refused, hidden links stay', async () => {
    const { tag, hidden, id } = await shop.transact(async (env) => {
      const [one, two] = await env.model('shop.label').createMany([{ name: 'a' }, { name: 'b', is_hidden: true }]);
      return { tag: one as number, hidden: two as number, id: await makeOrder(env, { tag_ids: [['link', two]] }) };
    });
    const rule = ruleOn('shop.label', [['is_hidden', '=', false]]);
    const asUser = (commands: unknown) =>
      shop.database.transaction((tx) => write(shop.as(user, tx, rule), id, { tag_ids: commands }));
    await asUser([['set', [tag]]]);
    expect(await idsOf(shop.env, id, 'tag_ids')).toEqual([tag, hidden]);
    for (const command of [
      ['unlink', hidden],
      ['delete', hidden],
    ]) {
      expect(await refusal(asUser([command]))).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { fields: { tag_ids: [expect.any(String)] } },
      });
    }
    await shop.transact((env) => write(env, id, { tag_ids: [['clear']] }));
    expect(await refusal(asUser([['link', hidden]]))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { tag_ids: [expect.any(String)] } },
    });
  });

  it('ACC-2 linking asks for no right to create', async () => {
    const { tag, id } = await shop.transact(async (env) => ({
      tag: await env.model('shop.label').create({ name: 'a' }),
      id: await makeOrder(env),
    }));
    const all = { group: null, read: true, write: true, create: true, unlink: true };
    const access = new Map([
      ['shop.order', [all]],
      ['shop.label', [{ ...all, write: false, create: false, unlink: false }]],
    ]);
    const asUser = (commands: unknown) =>
      shop.database.transaction((tx) => write(shop.as(user, tx, { access }), id, { tag_ids: commands }));
    await asUser([['link', tag]]);
    expect(await idsOf(shop.env, id, 'tag_ids')).toEqual([tag]);
    expect(await refusal(asUser([['create', { name: 'b' }]]))).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'model', model: 'shop.label', operation: 'create' },
    });
  });

  it('REC-12 a link to a record that does not exist is told at the field', async () => {
    expect(await refusal(shop.transact((env) => makeOrder(env, { tag_ids: [['link', 900_000]] })))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { tag_ids: [expect.any(String)] } },
    });
  });
});
