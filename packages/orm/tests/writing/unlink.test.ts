import { sql } from '@kontor/database';
import { defineModel, type Env, fields, inheritModel } from '@kontor/orm';
import type { TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, makePartner, openShop, refusal, ruleOn } from './shop.ts';

const heard: string[] = [];
const hooks = {
  async beforeUnlink({ ids }: { ids: readonly number[] }) {
    heard.push(`before ${ids.length}`);
  },
  async afterUnlink({ ids }: { ids: readonly number[] }) {
    heard.push(`after ${ids.length}`);
  },
};
const circle = [
  defineModel('ring.a', { fields: { b_id: fields.many2one('ring.b', { ondelete: 'cascade' }) } }),
  defineModel('ring.b', { fields: { a_id: fields.many2one('ring.a', { ondelete: 'cascade' }) } }),
];

const pack = defineModel('test.pack', {
  fields: { tag_ids: fields.many2many('shop.label'), size: fields.integer({ computed: true, stored: true }) },
  computes: { size: { depends: ['tag_ids'], value: (record) => (record.tag_ids as unknown[]).length } },
});

let shop: TestWorld;
beforeAll(async () => {
  shop = await openShop([...circle, pack, inheritModel('shop.line', { hooks })]);
});
afterAll(() => shop.drop());

const user = { uid: 2 };
const removals = (env: Env) => env.work.changes.filter((change) => change.operation === 'unlink');

describe('unlink', () => {
  it('RPC-12 unlink removes many records and records what they were', async () => {
    await shop.transact(async (env) => {
      const tag = await env.model('shop.label').create({ name: 'T' });
      const id = await makeOrder(env, { note: 'n', pin: 'p', tag_ids: [['link', tag]] });
      await env.model('shop.order').unlink([id, id]);
      expect(removals(env)).toHaveLength(1);
      expect(removals(env)[0]).toMatchObject({
        model: 'shop.order',
        id,
        values: { note: { old: 'n', new: null }, tag_ids: { old: [tag], new: [] }, pin: { old: null, new: null } },
      });
      expect(await env.model('shop.order').count([['id', '=', id]])).toBe(0);
      expect((await env.model('shop.label').read([tag], ['order_count']))[0]?.order_count).toBe(0);
    });
  });

  it('RPC-12 unlink of an id that does not exist is NOT_FOUND', async () => {
    const id = await shop.transact((env) => makePartner(env));
    const refused = await refusal(shop.transact((env) => env.model('shop.partner').unlink([id, 800_000])));
    expect(refused).toMatchObject({ code: 'NOT_FOUND', details: { missing_ids: [800_000] } });
    expect(await shop.env.model('shop.partner').count([['id', '=', id]])).toBe(1);
  });

  it('ACC-2 unlink of a hidden or protected record is ACCESS_DENIED by layer rule', async () => {
    const id = await shop.transact((env) => makePartner(env, { name: 'Hidden' }));
    for (const operation of ['read', 'unlink'] as const) {
      const work = shop.database.transaction((tx) =>
        shop
          .as(user, tx, ruleOn('shop.partner', [['name', '!=', 'Hidden']], [operation]))
          .model('shop.partner')
          .unlink([id]),
      );
      expect(await refusal(work)).toMatchObject({
        code: 'ACCESS_DENIED',
        details: { layer: 'rule', operation: 'unlink' },
      });
    }
  });

  it('REC-12 restrict names the model that still refers', async () => {
    const work = shop.transact(async (env) => {
      const id = await makeOrder(env, { invoice_ids: [['create', { ref: 'i' }]] });
      await env.model('shop.order').unlink([id]);
    });
    const refused = await refusal(work);
    expect(refused.code).toBe('VALIDATION_ERROR');
    expect(refused.message).toContain('Invoice');
  });

  it('REC-15 a refusal names up to three of the records that refer, of those that the caller may see', async () => {
    const { id, refs } = await shop.transact(async (env) => {
      const own = await makeOrder(env, {
        invoice_ids: ['a', 'b', 'hidden', 'c', 'd'].map((ref) => ['create', { ref }]),
      });
      return { id: own, refs: await env.model('shop.invoice').search([['order_id', '=', own]], { order: 'id' }) };
    });
    const remove = (policy: Parameters<TestWorld['as']>[2]) =>
      refusal(shop.database.transaction((tx) => shop.as(user, tx, policy).model('shop.order').unlink([id])));
    const refused = await remove(ruleOn('shop.invoice', [['ref', '!=', 'hidden']]));
    expect(refused).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { model: 'shop.order', fields: { id: [refused.message] } },
    });
    const [referring] = refused.details.referring as { model: string; field: string; records: { id: number }[] }[];
    expect(referring).toMatchObject({ model: 'shop.invoice', field: 'order_id' });
    expect(referring?.records).toHaveLength(3);
    expect(referring?.records.map((record) => record.id)).not.toContain(refs[2]);
    const all = { group: null, read: true, write: true, create: true, unlink: true };
    const blind = await remove({ access: new Map([['shop.order', [all]]]) });
    expect(blind.message).toContain('Invoice');
    expect(blind.details.referring).toEqual([{ model: 'shop.invoice', field: 'order_id', records: [] }]);
  });

  it('REC-15 what the server works out from a relation does not hold on to it', async () => {
    const note = defineModel('shop.note', {
      fields: {
        order_id: fields.many2one('shop.order', { ondelete: 'set null' }),
        customer_id: fields.many2one('shop.partner', { related: 'order_id.partner_id', stored: true }),
        days: fields.integer({ computed: true, stored: true, editable: true }),
      },
      computes: { days: { depends: ['order_id'], value: ({ order_id }) => (order_id ? 30 : 0) } },
    });
    const world = await openShop([note]);
    try {
      await world.transact(async (env) => {
        const partner = await makePartner(env);
        const order = await makeOrder(env, { partner_id: partner });
        const id = await env.model('shop.note').create({ order_id: order });
        expect(await refusal(env.model('shop.partner').unlink([partner]))).toMatchObject({
          details: { referring: [{ model: 'shop.order', field: 'partner_id' }] },
        });
        await env.model('shop.order').unlink([order]);
        await env.model('shop.partner').unlink([partner]);
        const [left] = await env.model('shop.note').read([id], ['order_id', 'customer_id', 'days']);
        expect(left).toEqual({ id, order_id: null, customer_id: null, days: 30 });
      });
    } finally {
      await world.drop();
    }
  });

  it('cascade: children go with hooks, changes and recomputes of their own', async () => {
    await shop.transact(async (env) => {
      heard.length = 0;
      const id = await makeOrder(env, {
        line_ids: [
          ['create', { product: 'A' }],
          ['create', { product: 'B' }],
        ],
      });
      const memo = await env.model('shop.memo').create({ order_id: id });
      await env.model('shop.order').unlink([id]);
      expect(heard).toEqual(['before 2', 'after 2']);
      expect(removals(env).map((change) => change.model)).toEqual(['shop.line', 'shop.line', 'shop.order']);
      const emptied = env.work.changes.find((change) => change.model === 'shop.memo' && change.operation === 'write');
      expect(emptied).toMatchObject({ id: memo, values: { order_id: { old: id, new: null } } });
    });
  });

  it('cascade asks for no rights on what goes along', async () => {
    const id = await shop.transact((env) => makeOrder(env, { line_ids: [['create', { product: 'A' }]] }));
    const all = { group: null, read: true, write: true, create: true, unlink: true };
    const access = new Map([['shop.order', [all]]]);
    await shop.database.transaction((tx) => shop.as(user, tx, { access }).model('shop.order').unlink([id]));
    expect(await shop.env.model('shop.line').count([['order_id', '=', id]])).toBe(0);
  });

  it('CMP-2 removing a line recomputes its owner', async () => {
    await shop.transact(async (env) => {
      const id = await makeOrder(env, {
        line_ids: [
          ['create', { product: 'A', price: 3 }],
          ['create', { product: 'B', price: 4 }],
        ],
      });
      const [line] = await env.model('shop.line').search([['order_id', '=', id]], { order: 'id' });
      await env.model('shop.line').unlink([line as number]);
      expect(String((await env.model('shop.order').read([id], ['amount']))[0]?.amount)).toBe('4');
    });
  });

  it('cascade ends in a circle', async () => {
    await shop.transact(async (env) => {
      const a = await env.model('ring.a').create({});
      const b = await env.model('ring.b').create({ a_id: a });
      await env.model('ring.a').write([a], { b_id: b });
      await env.model('ring.a').unlink([a]);
      expect(
        removals(env)
          .map((change) => change.model)
          .sort(),
      ).toEqual(['ring.a', 'ring.b']);
      expect(await env.model('ring.b').count()).toBe(0);
    });
  });

  it('many2many: what loses a link is told and worked out again', async () => {
    await shop.transact(async (env) => {
      const [gone, kept] = await env.model('shop.label').createMany([{ name: 'a' }, { name: 'b' }]);
      const commands = [['set', [gone, kept]]];
      const id = await makeOrder(env, { tag_ids: commands });
      const pack = await env.model('test.pack').create({ tag_ids: commands });
      await env.model('shop.label').unlink([gone as number]);
      const lost = env.work.changes.filter((change) => change.operation === 'write' && change.values.tag_ids);
      const change = { tag_ids: { old: [gone, kept], new: [kept] } };
      expect(lost).toMatchObject([
        { model: 'shop.order', id, values: change },
        { model: 'test.pack', id: pack, values: change },
      ]);
      expect((await env.model('test.pack').read([pack], ['size']))[0]?.size).toBe(1);
    });
  });

  it('external ids of removed records go too', async () => {
    await shop.transact(async (env) => {
      const id = await makePartner(env);
      const data = { module: 'shop', name: 'ada', model: 'shop.partner', res_id: id };
      await env.model('sys.model.data').create(data);
      expect(await env.ref('shop.ada')).toBe(id);
      expect(await refusal(env.ref('shop.adda'))).toMatchObject({ code: 'NOT_FOUND', details: { hint: 'shop.ada' } });
      expect(await refusal(env.ref('ada'))).toMatchObject({ code: 'INVALID_ARGS' });
      await env.model('shop.partner').unlink([id]);
      expect(await env.db.query(sql`select 1 from sys_model_data`)).toEqual([]);
    });
  });
});
