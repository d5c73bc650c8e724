import { defineModel, fields, isCopyable } from '@kontor/orm';
import type { TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { look, makeOrder, openTrade, plain, refusal } from '../computing/trade.ts';

const contract = defineModel('trade.contract', {
  fields: {
    name: fields.char({ size: 12 }),
    code: fields.char({ unique: true }),
    level: fields.integer({ readonly: true }),
    secret: fields.char({ secret: true }),
    margin: fields.integer({ groups: ['trade.manager'] }),
    note_ids: fields.one2many('trade.note', 'contract_id'),
    parent_id: fields.many2one('trade.contract'),
    part_ids: fields.one2many('trade.contract', 'parent_id', { copy: true }),
  },
});
const note = defineModel('trade.note', {
  fields: { contract_id: fields.many2one('trade.contract'), text: fields.char() },
});

const label = defineModel('trade.label', {
  fields: { name: fields.char({ required: true, unique: true }), color: fields.integer() },
});
const coin = defineModel('trade.coin', {
  fields: { name: fields.char({ required: true, unique: true, size: 3 }), rate: fields.integer() },
});

let trade: TestWorld;
beforeAll(async () => {
  trade = await openTrade([contract, note, label, coin]);
});
afterAll(() => trade.drop());

const copyAs = (groups: readonly string[], id: number, overrides = {}) =>
  trade.database.transaction((tx) =>
    trade
      .as({ uid: 2, groups: new Set(groups) }, tx)
      .outside(true)
      .model('trade.contract')
      .copy(id, overrides),
  );

describe('copy', () => {
  it('CMP-7 copy takes values, many2manys and lines, and makes numbers and computes anew', async () => {
    await trade.transact(async (env) => {
      const tag = await env.model('trade.tag').create({ name: 'new' });
      const order = await makeOrder(env, [10, 20], {
        name: 'First',
        state: 'sale',
        tag_ids: [['link', tag]],
        payment_days: 14,
      });
      const copied = await env.model('trade.order').copy(order);
      const names = ['name', 'state', 'payment_days', 'tag_ids', 'total', 'lines', 'partner_id'];
      const original = await look(env, 'trade.order', order, ...names);
      expect(await look(env, 'trade.order', copied, ...names)).toEqual({
        ...original,
        name: 'First (copy)',
        state: 'draft',
      });
      const numbers = (await env.model('trade.order').read([order, copied], ['number', 'line_ids'])).map(plain) as {
        number: string;
        line_ids: number[];
      }[];
      expect(numbers[0]?.number).not.toBe(numbers[1]?.number);
      expect(numbers[1]?.line_ids).toHaveLength(2);
      expect(numbers[0]?.line_ids).not.toEqual(numbers[1]?.line_ids);
    });
  });

  it('CMP-7 copy of lines costs the same however many there are', async () => {
    const statements = (lines: number) =>
      trade.transact(async (env) => {
        const order = await makeOrder(
          env,
          Array.from({ length: lines }, (_, i) => i),
        );
        const before = env.db.statements;
        await env.model('trade.order').copy(order);
        return env.db.statements - before;
      });
    expect(await statements(2)).toBe(await statements(200));
  });

  it('CMP-7 copy goes as deep as lines say so, leaves unique fields out and names only the top', async () => {
    const id = await trade.transact((env) =>
      env.model('trade.contract').create({
        name: 'Top contract',
        code: 'T1',
        level: 3,
        secret: 's',
        margin: 9,
        note_ids: [['create', { text: 'n' }]],
        part_ids: [['create', { name: 'Part', part_ids: [['create', { name: 'Leaf', code: 'L' }]] }]],
      }),
    );
    const copied = await copyAs(['trade.manager'], id);
    const [top] = await trade.env
      .model('trade.contract')
      .read(
        [copied],
        ['name', 'code', 'level', 'margin', 'note_ids', { part_ids: ['name', { part_ids: ['name', 'code'] }] }],
      );
    expect(top).toMatchObject({
      name: 'Top c (copy)',
      code: null,
      level: 3,
      margin: 9,
      note_ids: [],
      part_ids: [{ name: 'Part', part_ids: [{ name: 'Leaf', code: null }] }],
    });
    const blind = await copyAs([], id);
    expect(await look(trade.env, 'trade.contract', blind, 'margin', 'level')).toEqual({ margin: null, level: 3 });
  });

  it('CMP-7 RPC-24 a name that no other may have gets a number; what cannot be told apart is not copied', async () => {
    const id = await trade.transact((env) => env.model('trade.label').create({ name: 'Red', color: 4 }));
    const names: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      const copied = await trade.transact((env) => env.model('trade.label').copy(id));
      names.push(await look(trade.env, 'trade.label', copied, 'name', 'color'));
    }
    expect(names).toEqual([
      { name: 'Red (copy)', color: 4 },
      { name: 'Red (copy 2)', color: 4 },
      { name: 'Red (copy 3)', color: 4 },
    ]);
    const can = (name: string) => isCopyable(trade.env.registry.model(name));
    expect([can('trade.label'), can('trade.contract'), can('trade.coin')]).toEqual([true, true, false]);
  });

  it('CMP-7 copy lets overrides win, and checks them as any caller’s values', async () => {
    const id = await trade.transact((env) => env.model('trade.contract').create({ name: 'A' }));
    const copied = await copyAs([], id, { name: 'B', code: 'new' });
    expect(await look(trade.env, 'trade.contract', copied, 'name', 'code')).toEqual({ name: 'B', code: 'new' });
    expect(await refusal(copyAs([], id, { level: 1 }))).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'field' },
    });
    expect(await refusal(copyAs([], id, { lavel: 1 }))).toMatchObject({
      code: 'INVALID_ARGS',
      details: { hint: 'level' },
    });
  });

  it('CMP-7 copy needs a record that exists and may be read', async () => {
    expect(await refusal(copyAs([], 999_999))).toMatchObject({
      code: 'NOT_FOUND',
      details: { missing_ids: [999_999] },
    });
    const access = new Map([
      ['trade.contract', [{ group: null, read: true, write: true, create: false, unlink: true }]],
    ]);
    const reader = trade.as({ uid: 2 }, trade.database, { access });
    expect(await refusal(reader.model('trade.contract').copy(1))).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'model', operation: 'create' },
    });
  });
});
