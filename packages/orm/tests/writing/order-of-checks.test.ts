import { defineModel, type Env, fields, inheritModel } from '@kontor/orm';
import type { TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeOrder, makePartner, openShop, refusal, ruleOn } from './shop.ts';

/** What the hooks were shown. */
const shown: unknown[] = [];
const show = <T>(values: T): T => {
  shown.push(values);
  return values;
};

const watchedOrder = inheritModel('shop.order', {
  hooks: {
    beforeCreate: async ({ values }) => show(values),
    beforeWrite: async ({ values }) => show(values),
  },
});
const watchedLine = inheritModel('shop.line', {
  hooks: { beforeCreate: async ({ values }) => show(values), beforeWrite: async ({ values }) => show(values) },
});
const crate = defineModel('test.crate', {
  label: 'Crate',
  fields: {
    name: fields.char({ required: true }),
    is_open: fields.boolean({ default: true }),
    item_ids: fields.one2many('test.item', 'crate_id'),
    small_ids: fields.one2many('test.item', 'crate_id', { domain: [['size', '<', 10]] }),
  },
});
const item = defineModel('test.item', {
  label: 'Item',
  fields: {
    size: fields.integer(),
    crate_id: fields.many2one('test.crate', { domain: [['is_open', '=', true]] }),
    maker_id: fields.many2one('shop.partner', { domain: [['is_blocked', '=', false]] }),
  },
});

let shop: TestWorld;
beforeAll(async () => {
  shop = await openShop([watchedOrder, watchedLine, crate, item]);
});
afterAll(() => shop.drop());
beforeEach(() => {
  shown.length = 0;
});

const user = { uid: 2 };
type Policy = Parameters<TestWorld['as']>[2];
const asUser = <T>(work: (env: Env) => Promise<T>, policy: Policy = {}) =>
  shop.database.transaction((tx) => work(shop.as(user, tx, policy).outside(true)));
const setUp = <T>(work: (env: Env) => Promise<T>) => shop.transact(work);
const atField = (name: string) => ({
  code: 'VALIDATION_ERROR',
  details: { fields: { [name]: [expect.any(String)] } },
});

describe('REC-13 values are cast before any hook', () => {
  it('sees them', async () => {
    const partner = await setUp((env) => makePartner(env));
    shown.length = 0;
    const id = await asUser((env) =>
      makeOrder(env, {
        partner_id: partner,
        opened_at: '2026-01-02T03:04:05+02:00',
        line_ids: [['create', { product: 'A', qty: '2.50' }]],
      }),
    );
    expect(shown[0]).toMatchObject([
      {
        opened_at: '2026-01-02T01:04:05.000Z',
        line_ids: [['create', { product: 'A', qty: { s: 1, e: 0, c: [2, 5] } }]],
      },
    ]);
    await asUser((env) => env.model('shop.order').write([id], { rate: 1.5, partner_id: partner }));
    expect(shown.at(-1)).toMatchObject({ rate: { c: [1, 5] }, partner_id: partner });
  });

  it.each([
    ['a date', { opened_at: 'x' }, 'opened_at'],
    ['a choice', { state: 5 }, 'state'],
    ['a relation', { partner_id: 'Ada' }, 'partner_id'],
    ['a fraction of an id', { partner_id: 1.5 }, 'partner_id'],
    ['commands', { line_ids: [['create', 5]] }, 'line_ids'],
    ['a value of a line', { line_ids: [['create', { product: 'A', qty: 'x' }]] }, 'line_ids'],
    ['a value of a value of a line', { tag_ids: [['create', { order_ids: [['create', { rate: 'x' }]] }]] }, 'tag_ids'],
  ])('%s of a wrong type is told at its field', async (_case, values, name) => {
    const id = await setUp((env) => makeOrder(env));
    shown.length = 0;
    const create = asUser((env) => env.model('shop.order').create({ name: 'S', ...values }));
    expect(await refusal(create)).toMatchObject(atField(name));
    const write = asUser((env) => env.model('shop.order').write([id], values));
    expect(await refusal(write)).toMatchObject(atField(name));
    expect(shown).toEqual([]);
  });

  it('tells everything that is wrong with a line, and with a record, at once', async () => {
    const partner = await setUp((env) => makePartner(env));
    const values = {
      partner_id: partner,
      opened_at: 'x',
      line_ids: [
        ['create', { product: 'ok' }],
        ['create', { product: 5, qty: 'x' }],
      ],
    };
    expect(await refusal(asUser((env) => env.model('shop.order').create(values)))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: {
        model: 'shop.order',
        fields: { opened_at: [expect.any(String)], line_ids: [expect.any(String)] },
        lines: {
          field: 'line_ids',
          model: 'shop.line',
          fields: { product: [expect.any(String)], qty: [expect.any(String)] },
          rows: [{ index: 1, fields: { product: [expect.any(String)], qty: [expect.any(String)] } }],
        },
      },
    });
  });
});

describe('REC-13 the order of checks', () => {
  const readonlyLines = [['create', { product: 'A', discount: 5 }]];
  const none = { access: new Map() };
  const noLines = {
    access: new Map([['shop.order', [{ group: null, read: true, write: true, create: true, unlink: true }]]]),
  };

  it('asks for names first, then for model access, then for types', async () => {
    const create = (values: object, policy: Policy) =>
      refusal(asUser((env) => env.model('shop.order').create(values as never), policy));
    expect(await create({ opened_at: 'x' }, none)).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'model' },
    });
    expect(await create({ line_ids: [['create', { nane: 1, qty: 'x' }]] }, noLines)).toMatchObject({
      code: 'INVALID_ARGS',
      details: { model: 'shop.line', field: 'nane' },
    });
    expect(await create({ line_ids: [['create', { qty: 'x' }]] }, noLines)).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'model', model: 'shop.line', operation: 'create' },
    });
    expect(await create({ number: 5 }, {})).toMatchObject(atField('number'));
    expect(await create({ number: 'N' }, {})).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'field' } });
    expect(shown).toEqual([]);
  });

  it('asks for model access before it looks at arguments of a wrong shape, on every way', async () => {
    const wrong: readonly ((env: Env) => Promise<unknown>)[] = [
      (env) => env.model('shop.order').createMany({ name: 'S' } as never),
      (env) => env.model('shop.order').createMany(['S'] as never),
      (env) => env.model('shop.order').write(5 as never, { note: 'a' }),
      (env) => env.model('shop.order').write(['x'] as never, { note: 'a' }),
      (env) => env.model('shop.order').write([1], null as never),
      (env) => env.model('shop.order').unlink(5 as never),
      (env) => env.model('shop.order').unlink([1.5]),
    ];
    for (const call of wrong) {
      expect(await refusal(asUser(call, none))).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'model' } });
      expect(await refusal(asUser(call))).toMatchObject({ code: 'INVALID_ARGS' });
    }
    expect(shown).toEqual([]);
  });

  it('asks for the rules of a record after types and before fields and hooks', async () => {
    const id = await setUp((env) => makeOrder(env, { name: 'hidden' }));
    shown.length = 0;
    const hides = ruleOn('shop.order', [['name', '!=', 'hidden']]);
    const write = (values: object, policy: Policy) =>
      refusal(asUser((env) => env.model('shop.order').write([id], values as never), policy));
    expect(await write({ opened_at: 'x' }, hides)).toMatchObject(atField('opened_at'));
    for (const values of [{ note: 'a' }, { number: 'N' }, { margin: 3 }, { line_ids: readonlyLines }, {}]) {
      expect(await write(values, hides)).toMatchObject({
        code: 'ACCESS_DENIED',
        details: { layer: 'rule', ids: [id] },
      });
    }
    expect(shown).toEqual([]);
    expect(await write({ number: 'N' }, {})).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'field' } });
    expect(await write({ line_ids: readonlyLines }, {})).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'field', model: 'shop.line', field: 'discount' },
    });
    expect(shown).toEqual([]);
    expect(await refusal(asUser((env) => env.model('shop.order').write([id, 900_000], { number: 'N' })))).toMatchObject(
      {
        code: 'NOT_FOUND',
      },
    );
  });

  it('shows the hooks of lines only lines that the caller may change', async () => {
    const { id, line } = await setUp(async (env) => {
      const order = await makeOrder(env, { line_ids: [['create', { product: 'hidden' }]] });
      const [own] = await env.model('shop.line').search([['order_id', '=', order]]);
      return { id: order, line: own as number };
    });
    shown.length = 0;
    const hides = ruleOn('shop.line', [['product', '!=', 'hidden']], ['write']);
    const work = asUser((env) => env.model('shop.line').write([line], { qty: 3 }), hides);
    expect(await refusal(work)).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'rule' } });
    expect(shown).toEqual([]);
    const nested = asUser(
      (env) => env.model('shop.order').write([id], { line_ids: [['update', line, { qty: 3 }]] }),
      hides,
    );
    expect(await refusal(nested)).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'rule' } });
    expect(shown).toHaveLength(1);
  });
});

describe('REC-13 a relation to a record that is missing or out of sight', () => {
  const hides = ruleOn('shop.partner', [['name', '!=', 'Hidden']]);
  const { rules } = hides;
  const blind = {
    access: new Map(
      ['shop.order', 'shop.line', 'shop.label', 'test.item', 'test.crate'].map((name) => [
        name,
        [{ group: null, read: true, write: true, create: true, unlink: true }],
      ]),
    ),
  };

  it('is told at its field, before any hook, alike whether it is missing or hidden', async () => {
    const { hidden, order } = await setUp(async (env) => ({
      hidden: await makePartner(env, { name: 'Hidden' }),
      order: await makeOrder(env),
    }));
    shown.length = 0;
    for (const [partner, policy] of [
      [hidden, hides],
      [hidden, blind],
      [900_000, {}],
      [900_000, hides],
    ] as const) {
      const create = asUser((env) => makeOrder(env, { partner_id: partner }), policy);
      expect(await refusal(create)).toMatchObject(atField('partner_id'));
      const write = asUser((env) => env.model('shop.order').write([order], { partner_id: partner }), policy);
      expect(await refusal(write)).toMatchObject(atField('partner_id'));
    }
    expect(shown).toEqual([]);
    const messages = await Promise.all(
      [hidden, 900_000].map((id) => refusal(asUser((env) => makeOrder(env, { partner_id: id }), hides))),
    );
    expect(messages[0]?.message.replace(String(hidden), 'N')).toBe(messages[1]?.message.replace('900000', 'N'));
  });

  it('stays as it is when the record has it already', async () => {
    const { order, hidden } = await setUp(async (env) => {
      const own = await makePartner(env, { name: 'Hidden' });
      return { hidden: own, order: await makeOrder(env, { partner_id: own }) };
    });
    await asUser((env) => env.model('shop.order').write([order], { partner_id: hidden, note: 'a' }), hides);
    expect((await shop.env.model('shop.order').read([order], ['note']))[0]).toMatchObject({ note: 'a' });
  });

  it('is told at the list for lines, at any depth and on every command', async () => {
    const { hidden, crateId, other } = await setUp(async (env) => {
      const [own, another] = await env
        .model('test.crate')
        .createMany([{ name: 'A' }, { name: 'B', item_ids: [['create', { size: 1 }]] }]);
      const [line] = await env.model('test.item').search([['crate_id', '=', another as number]]);
      return { hidden: await makePartner(env, { name: 'Hidden' }), crateId: own as number, other: line as number };
    });
    const commands: readonly (readonly unknown[])[] = [
      ['create', { maker_id: hidden }],
      ['create', { maker_id: 900_000 }],
      ['link', 900_000],
      ['set', [900_000]],
      ['update', 900_000, { size: 3 }],
      ['update', other, { size: 3 }],
      ['delete', 900_000],
    ];
    for (const command of commands) {
      const values = { item_ids: [command] };
      const write = asUser((env) => env.model('test.crate').write([crateId], values), { rules });
      expect(await refusal(write)).toMatchObject(atField('item_ids'));
      const create = asUser((env) => env.model('test.crate').create({ name: 'C', ...values }), { rules });
      expect(await refusal(create)).toMatchObject(atField('item_ids'));
    }
    const hidesItems = ruleOn('test.item', [['size', '!=', 1]]);
    for (const command of [
      ['link', other],
      ['unlink', other],
      ['delete', other],
      ['update', other, { size: 2 }],
    ]) {
      const write = asUser((env) => env.model('test.crate').write([crateId], { item_ids: [command] }), hidesItems);
      if (command[0] === 'unlink') await write;
      else expect(await refusal(write)).toMatchObject(atField('item_ids'));
    }
  });

  it('names every bad row of many', async () => {
    const hidden = await setUp((env) => makePartner(env, { name: 'Hidden' }));
    const open = await setUp((env) => makePartner(env));
    const rows = [open, hidden, open, 900_000].map((maker_id) => ({ maker_id }));
    const refused = await refusal(asUser((env) => env.model('test.item').createMany(rows), hides));
    expect(refused.details).toMatchObject({
      fields: { maker_id: [expect.any(String)] },
      rows: [
        { index: 1, fields: { maker_id: [expect.any(String)] } },
        { index: 3, fields: { maker_id: [expect.any(String)] } },
      ],
    });
  });
});

describe('REC-14 the domain of a many2one holds through commands', () => {
  it('for what the lines of a list point at', async () => {
    const { crateId, line, blocked } = await setUp(async (env) => {
      const own = await env.model('test.crate').create({ name: 'A', item_ids: [['create', { size: 1 }]] });
      const [first] = await env.model('test.item').search([['crate_id', '=', own]]);
      return { crateId: own, line: first as number, blocked: await makePartner(env, { is_blocked: true }) };
    });
    for (const command of [
      ['create', { maker_id: blocked }],
      ['update', line, { maker_id: blocked }],
    ]) {
      const work = asUser((env) => env.model('test.crate').write([crateId], { item_ids: [command] }));
      expect(await refusal(work)).toMatchObject(atField('item_ids'));
    }
  });

  it('for the many2one back to the owner of the list', async () => {
    const { closed, open, line, loose } = await setUp(async (env) => {
      const own = await env
        .model('test.crate')
        .create({ name: 'A', is_open: true, item_ids: [['create', { size: 1 }]] });
      const [first] = await env.model('test.item').search([['crate_id', '=', own]]);
      return {
        open: own,
        line: first as number,
        loose: await env.model('test.item').create({ size: 2 }),
        closed: await env.model('test.crate').create({ name: 'B', is_open: false }),
      };
    });
    for (const command of [
      ['create', {}],
      ['link', line],
      ['link', loose],
      ['set', [line]],
    ]) {
      const work = asUser((env) => env.model('test.crate').write([closed], { item_ids: [command] }));
      expect(await refusal(work)).toMatchObject(atField('item_ids'));
    }
    const born = { name: 'C', is_open: false, item_ids: [['create', {}]] };
    expect(await refusal(asUser((env) => env.model('test.crate').create(born)))).toMatchObject(atField('item_ids'));
    await asUser((env) =>
      env.model('test.crate').write([open], {
        item_ids: [
          ['link', loose],
          ['create', {}],
        ],
      }),
    );
    await shop.transact((env) => env.model('test.crate').write([closed], { item_ids: [['create', {}]] }));
  });

  it('and so does the domain of the list itself', async () => {
    const { crateId, big, small } = await setUp(async (env) => {
      const [large, little] = await env.model('test.item').createMany([{ size: 20 }, { size: 2 }]);
      return {
        crateId: await env.model('test.crate').create({ name: 'A' }),
        big: large as number,
        small: little as number,
      };
    });
    const link = (id: number) =>
      asUser((env) => env.model('test.crate').write([crateId], { small_ids: [['link', id]] }));
    expect(await refusal(link(big))).toMatchObject(atField('small_ids'));
    await link(small);
  });
});
