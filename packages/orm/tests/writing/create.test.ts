import { sql } from '@kontor/database';
import { defineModel, type Env, fields } from '@kontor/orm';
import { expectQueries, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, makePartner, openShop, refusal, ruleOn } from './shop.ts';

const delivery = defineModel('shop.delivery', {
  label: 'Delivery',
  fields: {
    order_id: fields.many2one('shop.order', { required: true }),
    carrier_id: fields.many2one('shop.partner', { checkCompany: true }),
    helper_ids: fields.many2many('shop.partner', { checkCompany: true }),
    company_id: fields.many2one('core.company', { related: 'order_id.company_id', stored: true }),
  },
});

let shop: TestWorld;
beforeAll(async () => {
  shop = await openShop([delivery]);
});
afterAll(() => shop.drop());

describe('create', () => {
  it('REC-1, RPC-10 create answers the new id and fills the system columns', async () => {
    const [id, row] = await shop.transact(async (env) => {
      const partner = await makePartner(env.as({ ...env.actor, uid: 7 }));
      const [found] = await env.db.query(sql`select * from shop_partner where id = ${partner}`);
      return [partner, found];
    });
    expect(row).toMatchObject({ id, name: 'Ada', create_uid: 7, write_uid: 7, is_blocked: false });
    expect(row?.create_date).toBe(row?.write_date);
  });

  it('RPC-13 create_many keeps the order of the values, also when rows have different fields', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `P${index}`);
    const rows = names.map((name, index) => (index % 2 ? { name } : { name, email: `${name}@x.y`, is_blocked: true }));
    const read = await shop.transact(async (env) => {
      const ids = await env.model('shop.partner').createMany(rows);
      return env.model('shop.partner').read(ids, ['name', 'email', 'is_blocked']);
    });
    expect(read.map((record) => record.name)).toEqual(names);
    expect(read[0]).toMatchObject({ email: 'P0@x.y', is_blocked: true });
    expect(read[1]).toMatchObject({ email: null, is_blocked: false });
  });

  it('RPC-10 create of one simple record is one statement', async () => {
    await shop.transact((env) => expectQueries(env.db, 1, () => env.model('core.company').create({ name: 'C' })));
  });

  it('RPC-10 create asks rules and links in the same statement', async () => {
    const partner = await shop.transact((env) => makePartner(env));
    const rules = new Map([
      ...ruleOn('shop.memo', [['text', '!=', 'X']]).rules,
      ...ruleOn('shop.order', [['name', '!=', 'X']]).rules,
    ]);
    const order = await shop.transact((env) => makeOrder(env, { partner_id: partner }));
    await shop.database.transaction(async (tx) => {
      const env = shop.as({ uid: 2 }, tx, { rules });
      await expectQueries(tx, 1, () => env.model('shop.memo').create({ text: 'x', order_id: order }));
    });
  });

  it('RPC-13 create_many of 1,000 orders with lines and tags is a constant number of statements', async () => {
    await shop.transact(async (env) => {
      const partner = await makePartner(env);
      const tag = await env.model('shop.label').create({ name: 'T' });
      const rows = Array.from({ length: 1000 }, (_, index) => ({
        name: `S${index}`,
        partner_id: partner,
        line_ids: [
          ['create', { product: 'A', qty: 2, price: '1.5' }],
          ['create', { product: 'B', price: index }],
        ],
        tag_ids: [['link', tag]],
      }));
      const ids = await expectQueries(env.db, { atMost: 20 }, () => env.model('shop.order').createMany(rows));
      const orders = await env.model('shop.order').read(ids, ['name', 'amount', 'line_ids', 'tag_ids']);
      expect(orders.map((order) => order.name)).toEqual(rows.map((row) => row.name));
      expect(String(orders[10]?.amount)).toBe('13');
      expect(orders.every((order) => (order.line_ids as number[]).length === 2)).toBe(true);
      expect(orders[999]?.tag_ids).toEqual([tag]);
    });
  });

  it('RPC-13 create_many of 1,000 plain records stays under 15 statements', async () => {
    await shop.transact(async (env) => {
      const partner = await makePartner(env);
      const rows = Array.from({ length: 1000 }, (_, index) => ({ name: `S${index}`, partner_id: partner }));
      await expectQueries(env.db, { atMost: 14 }, () => env.model('shop.order').createMany(rows));
    });
  });

  it('RPC-10 create refuses an unknown field and names the nearest', async () => {
    const refused = await refusal(shop.transact((env) => env.model('shop.order').create({ nane: 'x' })));
    expect(refused).toMatchObject({ code: 'INVALID_ARGS', details: { field: 'nane', hint: 'name' } });
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const values = JSON.parse(`{"${name}": 1}`);
      expect(await refusal(shop.transact((env) => env.model('shop.order').create(values)))).toMatchObject({
        code: 'INVALID_ARGS',
      });
    }
  });

  it('RPC-10 create refuses id and computed fields', async () => {
    for (const values of [{ id: 5 }, { amount: 5 }, { display_name: 'x' }]) {
      const refused = await refusal(shop.transact((env) => env.model('shop.order').create(values)));
      expect(refused.code).toBe('INVALID_ARGS');
    }
  });

  it('RPC-10 create tells every bad field at once', async () => {
    const refused = await refusal(
      shop.transact((env) => env.model('shop.order').create({ state: 'lost', rate: 'x', opened_at: 'never' })),
    );
    expect(refused.code).toBe('VALIDATION_ERROR');
    expect(Object.keys(refused.details.fields as object).sort()).toEqual([
      'name',
      'opened_at',
      'partner_id',
      'rate',
      'state',
    ]);
  });

  it('RPC-13 create_many tells every bad row by index and writes none', async () => {
    const rows = [{ name: 'ok' }, { name: '' }, { name: 'x'.repeat(41) }];
    const refused = await refusal(shop.transact((env) => env.model('shop.partner').createMany(rows)));
    expect(refused.code).toBe('VALIDATION_ERROR');
    expect((refused.details.rows as { index: number }[]).map((row) => row.index)).toEqual([1, 2]);
    expect(refused.details.fields).toEqual((refused.details.rows as { fields: unknown }[])[0]?.fields);
    expect(await shop.env.model('shop.partner').count([['name', '=', 'ok']])).toBe(0);
  });

  it('RPC-13 create_many takes at most 10,000 rows and only objects', async () => {
    const many = Array.from({ length: 10_001 }, () => ({ name: 'x' }));
    expect(await refusal(shop.env.model('shop.partner').createMany(many))).toMatchObject({ code: 'INVALID_ARGS' });
    for (const bad of [null, 5, [], 'x']) {
      expect(await refusal(shop.env.model('shop.partner').createMany([bad as never]))).toMatchObject({
        code: 'INVALID_ARGS',
      });
    }
  });

  it('REC-12 unique reaches the field', async () => {
    const refused = await refusal(
      shop.transact(async (env) => {
        await makePartner(env, { email: 'a@b.c' });
        await makePartner(env, { email: 'a@b.c' });
      }),
    );
    expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', details: { fields: { email: [expect.any(String)] } } });
  });

  it('REC-12 foreign key reaches the field', async () => {
    const refused = await refusal(shop.transact((env) => makeOrder(env, { partner_id: 999_999 })));
    expect(refused).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { partner_id: [expect.any(String)] } },
    });
  });

  it('changes hold what is new, and never a secret', async () => {
    await shop.transact(async (env) => {
      const tag = await env.model('shop.label').create({ name: 'T' });
      const id = await makeOrder(env, { pin: '1234', tag_ids: [['link', tag]] });
      const change = env.work.changes.find((each) => each.model === 'shop.order' && each.operation === 'create');
      expect(change).toMatchObject({ id, companyId: null });
      expect(change?.values.name).toEqual({ old: null, new: 'S1' });
      expect(change?.values.state).toEqual({ old: null, new: 'draft' });
      expect(change?.values.tag_ids).toEqual({ old: [], new: [tag] });
      expect(change?.values.pin).toEqual({ old: null, new: null });
      expect(change?.values.note).toBeUndefined();
    });
  });
});

describe('links of a new record', () => {
  const user = { uid: 2 };

  it('ACC-2 links to a record hidden by a rule are refused', async () => {
    const hidden = await shop.transact((env) => makePartner(env, { name: 'Hidden' }));
    const work = shop.database.transaction((tx) => {
      const env = shop.as(user, tx, ruleOn('shop.partner', [['name', '!=', 'Hidden']]));
      return makeOrder(env, { partner_id: hidden });
    });
    expect(await refusal(work)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { model: 'shop.order', fields: { partner_id: [expect.any(String)] } },
    });
  });

  it('ACC-2 links are not asked about under sudo', async () => {
    const blocked = await shop.transact((env) => makePartner(env, { is_blocked: true }));
    expect(await shop.transact((env) => makeOrder(env, { partner_id: blocked }))).toBeGreaterThan(0);
  });

  it('REC-10 domain of a relation is enforced', async () => {
    const blocked = await shop.transact((env) => makePartner(env, { is_blocked: true }));
    const refused = await refusal(shop.transact((env) => makeOrder(env, { partner_id: blocked }), user));
    expect(refused).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { partner_id: [expect.any(String)] } },
    });
  });

  it('REC-10 checkCompany refuses another company, for server code too', async () => {
    const refused = await refusal(
      shop.transact(async (env) => {
        const [one, two] = await env.model('core.company').createMany([{ name: 'One' }, { name: 'Two' }]);
        const partner = await makePartner(env, { company_id: one });
        await makeOrder(env, { partner_id: partner, company_id: one });
        await makeOrder(env, { partner_id: partner, company_id: two });
      }),
    );
    expect(refused).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { partner_id: [expect.any(String)] } },
    });
  });

  describe('REC-16 checkCompany with a company that is computed', () => {
    /** Two companies, a partner and an order of each, and how a call about them ends. */
    const outcome = (work: (env: Env, one: Side, two: Side) => Promise<unknown>) =>
      shop.transact(async (env) => {
        const companies = await env.model('core.company').createMany([{ name: 'One' }, { name: 'Two' }]);
        const [one, two] = await Promise.all(
          companies.map(async (company_id) => {
            const partner = await makePartner(env, { company_id });
            return { company_id, partner, order: await makeOrder(env, { company_id }) };
          }),
        );
        try {
          await work(env, one as Side, two as Side);
          return 'OK';
        } catch (error) {
          return Object.keys((error as { details: { fields: object } }).details.fields).join();
        }
      });
    interface Side {
      readonly company_id: number;
      readonly partner: number;
      readonly order: number;
    }
    const deliver = (env: Env, { order }: Side, values: object) =>
      env.model('shop.delivery').create({ order_id: order, ...values });

    it('takes what belongs to it, one and many', async () => {
      const make = (rows: number) =>
        outcome(async (env, one) => {
          const values = { carrier_id: one.partner, helper_ids: [['set', [one.partner]]] };
          const row = { order_id: one.order, ...values };
          await env.model('shop.delivery').createMany(Array.from({ length: rows }, () => row));
        });
      expect([await make(1), await make(3)]).toEqual(['OK', 'OK']);
    });

    it('refuses another one, in lists too', async () => {
      expect(await outcome((env, one, two) => deliver(env, one, { carrier_id: two.partner }))).toBe('carrier_id');
      const helpers = (id: number) => ({ helper_ids: [['link', id]] });
      expect(await outcome((env, one, two) => deliver(env, one, helpers(two.partner)))).toBe('helper_ids');
    });

    it('follows the record that the company comes from, and the field', async () => {
      const written = (values: (two: Side) => Record<string, number>) =>
        outcome(async (env, one, two) => {
          const id = await deliver(env, one, { carrier_id: one.partner });
          await env.model('shop.delivery').write([id], values(two));
        });
      expect(await written(({ partner }) => ({ carrier_id: partner }))).toBe('carrier_id');
      expect(await written(({ order }) => ({ order_id: order }))).toBe('carrier_id');
      expect(await written(({ order, partner }) => ({ order_id: order, carrier_id: partner }))).toBe('OK');
      const moved = outcome(async (env, one, two) => {
        await deliver(env, one, { carrier_id: one.partner });
        await env.model('shop.order').write([one.order], { company_id: two.company_id });
      });
      expect(await moved).toBe('carrier_id');
    });
  });

  it('ACC-2 readonly and group fields are refused from outside, by layer field', async () => {
    for (const values of [{ number: 'N1' }, { margin: 3 }, { create_uid: 3 }]) {
      const refused = await refusal(shop.transact((env) => makeOrder(env.outside(true), values), user));
      expect(refused).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'field' } });
    }
    expect(await shop.transact((env) => makeOrder(env, { number: 'N1' }), user)).toBeGreaterThan(0);
  });
});
