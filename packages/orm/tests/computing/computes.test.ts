import { sql } from '@kontor/database';
import { Decimal, defineModel, type Env, fields, inheritModel, recomputeAll } from '@kontor/orm';
import { expectQueries, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { look, makeOrder, openTrade, plain } from './trade.ts';

const careless = defineModel('trade.careless', {
  fields: {
    name: fields.char(),
    note: fields.char(),
    shown: fields.char({ computed: true, stored: true }),
  },
  computes: { shown: { depends: ['name'], value: (record) => record.name && `${record.name} ${record.note}` } },
});
const rough = defineModel('trade.rough', {
  fields: {
    part: fields.integer({ default: 1 }),
    share: fields.decimal({ precision: [12, 2], computed: true, stored: true }),
    half: fields.decimal({ precision: [12, 2], computed: true, stored: true }),
    code: fields.char({ size: 3, computed: true, stored: true }),
  },
  computes: {
    share: { depends: ['part'], value: ({ part }) => Number(part) / 3 },
    half: { depends: ['part'], value: ({ part }) => new Decimal(Number(part)).div(-200) },
    code: { depends: ['part'], value: ({ part }) => String(part) },
  },
});

const seen: string[] = [];
async function note({ env }: { env: Env }): Promise<void> {
  const orders = await env.model('trade.order').searchRead([['name', '=', 'watched']], ['total', 'lines']);
  seen.push(...orders.map(({ total, lines }) => `${total} in ${lines}`));
}
const watching = inheritModel('trade.line', { hooks: { afterCreate: note, afterWrite: note, afterUnlink: note } });

let trade: TestWorld;
beforeAll(async () => {
  trade = await openTrade([careless, rough]);
});
afterAll(() => trade.drop());

describe('stored computes', () => {
  it('CMP-1 follow a change across two relations', async () => {
    await trade.transact(async (env) => {
      const campaign = await env.model('trade.campaign').create({ name: 'Spring' });
      expect(await look(env, 'trade.campaign', campaign, 'revenue', 'orders', 'biggest')).toEqual({
        revenue: '0',
        orders: 0,
        biggest: null,
      });
      const order = await makeOrder(env, [10, 20], { campaign_id: campaign });
      await makeOrder(env, [5], { campaign_id: campaign });
      const [{ line_ids }] = (await env.model('trade.order').read([order], ['line_ids'])) as [
        { id: 1; line_ids: number[] },
      ];
      await env.model('trade.line').write([line_ids[0] as number], { qty: 3 });
      expect(await look(env, 'trade.order', order, 'total', 'lines', 'tax', 'due')).toEqual({
        total: '50',
        lines: 2,
        tax: '9.5',
        due: '59.5',
      });
      expect(await look(env, 'trade.campaign', campaign, 'revenue', 'orders', 'biggest')).toEqual({
        revenue: '55',
        orders: 2,
        biggest: '50',
      });
    });
  });

  it('CMP-1 follow a change of the record that lines point at', async () => {
    await trade.transact(async (env) => {
      const order = await makeOrder(env, [100, 50]);
      await env.model('trade.order').write([order], { discount: 10 });
      expect(await look(env, 'trade.order', order, 'total', 'due')).toEqual({ total: '135', due: '160.65' });
      const [{ partner_id }] = (await env.model('trade.order').read([order], ['partner_id'])) as [
        { id: 1; partner_id: 1 },
      ];
      await env.model('trade.partner').write([partner_id], { country: 'FR' });
      expect(await look(env, 'trade.order', order, 'country')).toEqual({ country: 'FR' });
    });
  });

  it('CMP-2 lose lines that are deleted or moved to another order', async () => {
    await trade.transact(async (env) => {
      const [from, to] = [await makeOrder(env, [1, 2, 4]), await makeOrder(env, [8])];
      const lines = await env.model('trade.line').search([['order_id', '=', from]], { order: 'price' });
      await env.model('trade.line').write([lines[2] as number], { order_id: to });
      expect(await look(env, 'trade.order', from, 'total', 'lines')).toEqual({ total: '3', lines: 2 });
      expect(await look(env, 'trade.order', to, 'total', 'lines')).toEqual({ total: '12', lines: 2 });
      await env.model('trade.line').unlink([lines[0] as number]);
      expect(await look(env, 'trade.order', from, 'total', 'lines')).toEqual({ total: '2', lines: 1 });
      await env.model('trade.order').write([from], { line_ids: [['clear']] });
      expect(await look(env, 'trade.order', from, 'total', 'due')).toEqual({ total: '0', due: '0' });
    });
  });

  it('CMP-2 follow a many2many from both of its ends', async () => {
    await trade.transact(async (env) => {
      const [a, b] = (await env.model('trade.tag').createMany([{ name: 'a' }, { name: 'b' }])) as [number, number];
      const order = await makeOrder(env, [7], { tag_ids: [['link', a]] });
      expect(await look(env, 'trade.tag', a, 'revenue')).toEqual({ revenue: '7' });
      await env.model('trade.tag').write([b], { order_ids: [['link', order]] });
      await env.model('trade.order').write([order], { line_ids: [['create', { price: 3 }]] });
      expect(await look(env, 'trade.tag', b, 'revenue')).toEqual({ revenue: '10' });
      await env.model('trade.order').write([order], { tag_ids: [['unlink', a]] });
      expect(await look(env, 'trade.tag', a, 'revenue')).toEqual({ revenue: '0' });
      await env.model('trade.order').unlink([order]);
      expect(await look(env, 'trade.tag', b, 'revenue')).toEqual({ revenue: '0' });
    });
  });

  it('CMP-3 go down a tree of any depth', async () => {
    await trade.transact(async (env) => {
      const categories = env.model('trade.category');
      const top = await categories.create({ name: 'A' });
      let parent_id = top;
      for (const name of ['B', 'C', 'D']) parent_id = await categories.create({ name, parent_id });
      await categories.write([top], { name: 'Z' });
      expect(await look(env, 'trade.category', parent_id, 'full_name')).toEqual({ full_name: 'Z / B / C / D' });
    });
  });

  it('CMP-4 take minima of dates, and nothing where there is nothing', async () => {
    await trade.transact(async (env) => {
      const order = await makeOrder(env, [], {
        line_ids: [
          ['create', { due: '2026-03-01' }],
          ['create', { due: '2026-02-01' }],
          ['create', {}],
        ],
      });
      expect(await look(env, 'trade.order', order, 'first_due')).toEqual({ first_due: '2026-02-01' });
      expect(await look(env, 'trade.order', await makeOrder(env), 'first_due')).toEqual({ first_due: null });
    });
  });

  it('CMP-5 cost the same number of statements for one line and for a thousand', async () => {
    const create = (count: number) =>
      trade.transact(async (env) => {
        const order = await makeOrder(env);
        const before = env.db.statements;
        const lines = Array.from({ length: count }, (_, i) => ({ order_id: order, price: i }));
        const ids = await env.model('trade.line').createMany(lines);
        const created = env.db.statements - before;
        await env.model('trade.line').write(ids, { qty: 2 });
        const written = env.db.statements - before - created;
        const total = (count * (count - 1)).toString();
        expect(await look(env, 'trade.order', order, 'total')).toEqual({ total });
        return [created, written];
      });
    const one = await create(2);
    expect(await create(1000)).toEqual(one);
    expect(Math.max(...one)).toBeLessThanOrEqual(12);
  });

  it('CMP-5 cost nothing where nothing depends on what changed', async () => {
    await trade.transact(async (env) => {
      const order = await makeOrder(env, [1]);
      await expectQueries(env.db, { atMost: 2 }, () => env.model('trade.order').write([order], { name: 'X' }));
    });
  });

  it('CMP-6 a compute that reads a path it does not declare throws', async () => {
    const creating = trade.transact((env) => env.model('trade.careless').create({ name: 'a', note: 'b' }));
    await expect(creating).rejects.toThrow("reads note, which it does not declare. Add 'note' to its paths");
  });

  it('CMP-7 round half up to the column, also what was worked out in floats', async () => {
    await trade.transact(async (env) => {
      const id = await env.model('trade.rough').create({ part: 1 });
      expect(await look(env, 'trade.rough', id, 'share', 'half')).toEqual({ share: '0.33', half: '-0.01' });
      await env.model('trade.rough').write([id], { part: 5 });
      expect(await look(env, 'trade.rough', id, 'share', 'half')).toEqual({ share: '1.67', half: '-0.03' });
    });
  });

  it('CMP-7 a result that does not fit is told at its field', async () => {
    const creating = trade.transact((env) => env.model('trade.rough').create({ part: 12345 }));
    await expect(creating).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { code: [expect.any(String)] } },
    });
  });

  it('CMP-8 are part of the creation of a record and of the changes of others', async () => {
    await trade.transact(async (env) => {
      const order = await makeOrder(env, [10]);
      const creation = env.work.changes.filter((change) => change.model === 'trade.order');
      expect(creation.map((change) => change.operation)).toEqual(['create']);
      expect(plain(creation[0]?.values.due)).toEqual({ old: null, new: '11.9' });
      const lines = await env.model('trade.line').search([['order_id', '=', order]]);
      await env.model('trade.line').write(lines, { price: 20 });
      const writes = env.work.changes.filter(
        ({ model, operation }) => model === 'trade.order' && operation === 'write',
      );
      expect(plain(Object.assign({}, ...writes.map((change) => change.values)))).toEqual({
        total: { old: '10', new: '20' },
        tax: { old: '1.9', new: '3.8' },
        due: { old: '11.9', new: '23.8' },
      });
    });
  });

  it('CMP-8 are up to date for hooks that run after a change', async () => {
    const watched = await openTrade([watching]);
    await watched.transact(async (env) => {
      const order = await makeOrder(env, [10, 5], { name: 'watched' });
      expect(env.work.changes.map(({ model, operation }) => `${operation} ${model}`)).toEqual([
        'create trade.partner',
        'create trade.order',
        'create trade.line',
        'create trade.line',
      ]);
      const lines = await env.model('trade.line').search([['order_id', '=', order]]);
      await env.model('trade.line').write(lines, { qty: 2 });
      await env.model('trade.line').unlink(lines.slice(0, 1));
    });
    expect(seen).toEqual(['15 in 2', '30 in 2', '10 in 1']);
    await watched.drop();
  });

  it('CMP-2 of all records are filled by recomputeAll, silently', async () => {
    const order = await trade.transact((env) => makeOrder(env, [10, 5]));
    await trade.transact(async (env) => {
      await env.db.execute(sql`update trade_line set subtotal = null`);
      await env.db.execute(sql`update trade_order set total = null, due = null`);
      await recomputeAll(env, env.registry.model('trade.line'), ['subtotal', 'qty']);
      await recomputeAll(env, env.registry.model('trade.order'), ['total', 'due']);
      expect(env.work.changes).toEqual([]);
      expect(await look(env, 'trade.order', order, 'total', 'due')).toEqual({ total: '15', due: '17.85' });
    });
  });

  it('CMP-2 of two people who change the same order at once are both right', async () => {
    const order = await trade.transact((env) => makeOrder(env, [1]));
    const change = (price: number) =>
      trade.transact((env) => env.model('trade.line').create({ order_id: order, price }));
    await Promise.all(Array.from({ length: 12 }, (_, i) => change(i)));
    expect(await look(trade.env, 'trade.order', order, 'total', 'lines', 'due')).toEqual({
      total: '67',
      lines: 13,
      due: '79.73',
    });
  });

  it('CMP-2 are right when one of two writers at once rolls back', async () => {
    const order = await trade.transact((env) => makeOrder(env, [1]));
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const failing = trade.transact(async (env) => {
      await env.model('trade.line').create({ order_id: order, price: 100 });
      await left;
      throw new Error('changed my mind');
    });
    const working = trade.transact((env) => env.model('trade.line').create({ order_id: order, price: 2 }));
    leave();
    await expect(failing).rejects.toThrow('changed my mind');
    await working;
    expect(await look(trade.env, 'trade.order', order, 'total', 'lines')).toEqual({ total: '3', lines: 2 });
  });
});
