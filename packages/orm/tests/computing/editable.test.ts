import { type Env, inheritModel } from '@kontor/orm';
import { expectQueries, type TestWorld } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCustomer, openDeals } from './editable-world.ts';
import { look, plain, refusal } from './trade.ts';

let deals: TestWorld;
let customer: number;
let other: number;
beforeAll(async () => {
  deals = await openDeals();
  [customer, other] = await deals.transact(async (env) => [
    await makeCustomer(env, { owner: 7 }),
    await makeCustomer(env, { name: 'Bob', days: 30 }),
  ]);
});
afterAll(() => deals.drop());

const user = { uid: 2 };
type Values = Readonly<Record<string, unknown>>;
const run = <T>(work: (env: Env) => Promise<T>, actor: Parameters<TestWorld['transact']>[1] = user) =>
  deals.transact((env) => work(env.outside(true)), actor);
const create = (values: Values, actor?: Parameters<TestWorld['transact']>[1]) =>
  run((env) => env.model('deal.order').create(values), actor);
const write = (id: number, values: Values, base?: Values) =>
  run((env) => env.model('deal.order').write([id], values, base ? { base } : {}));
const order = (id: number, ...names: string[]) => look(deals.env, 'deal.order', id, ...names);
const onchange = async (values: Values, changed: readonly string[], id?: number) =>
  plain(
    (
      await deals
        .as(user)
        .model('deal.order')
        .onchange(values, changed, id === undefined ? {} : { id })
    ).value,
  ) as Values;

describe('LAN-4 a value from a relation', () => {
  it('LAN-4 is taken on every way in and stays what people say', async () => {
    const id = await create({ customer_id: customer });
    expect(await order(id, 'payer_days', 'days')).toEqual({ payer_days: 14, days: 14 });
    expect(await onchange({ customer_id: customer }, ['customer_id'])).toMatchObject({ payer_days: 14, days: 14 });
    await write(id, { payer_days: 9 });
    await write(id, { name: 'Another name' });
    expect(await order(id, 'payer_days')).toEqual({ payer_days: 9 });
    await write(id, { customer_id: other });
    expect(await order(id, 'payer_days', 'days')).toEqual({ payer_days: 30, days: 30 });
  });

  it('LAN-4 stays with `from` where the relation has none, and is emptied with `follows`', async () => {
    const id = await create({ customer_id: customer });
    const bare = await deals.transact((env) => makeCustomer(env, { name: 'Carol', days: null }));
    expect(await onchange({ customer_id: bare }, ['customer_id'], id)).toMatchObject({ days: null });
    await write(id, { customer_id: bare });
    expect(await order(id, 'payer_days', 'days')).toEqual({ payer_days: 14, days: null });
    await write(id, { customer_id: null });
    expect(await order(id, 'payer_days', 'days')).toEqual({ payer_days: 14, days: null });
  });
});

describe('CMP-10 a new record', () => {
  it('gets what nobody gave, in the order in which it follows', async () => {
    const id = await create({ customer_id: customer });
    expect(await order(id, 'days', 'terms', 'owner', 'label', 'size')).toEqual({
      ...{ days: 14, terms: '14 days', owner: 7, label: '(14 days)', size: 0 },
    });
    const none = await create({});
    expect(await order(none, 'days', 'terms', 'owner')).toEqual({ days: null, terms: 'no days', owner: 2 });
  });

  it('keeps what is given, null too', async () => {
    const id = await create({ customer_id: customer, days: null, owner: 5 });
    expect(await order(id, 'days', 'terms', 'owner')).toEqual({ days: null, terms: 'no days', owner: 5 });
    const said = await create({ customer_id: customer, days: 3, terms: 'now' });
    expect(await order(said, 'days', 'terms')).toEqual({ days: 3, terms: 'now' });
  });

  it('lacks a required value that the compute leaves open', async () => {
    const lines = (values: Values) => create({ line_ids: [['create', values]] });
    expect(await refusal(lines({}))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { line_ids: [expect.any(String)] }, lines: { fields: { name: [expect.any(String)] } } },
    });
    await lines({ name: 'By hand' });
  });

  it('is told what does not fit at the field', async () => {
    const bad = await deals.transact((env) => makeCustomer(env, { days: -1 }));
    expect(await refusal(create({ customer_id: bad }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { days: [expect.any(String)] } },
    });
  });

  it('takes the links of a many2many, as ids or records', async () => {
    const { tag, tagged } = await deals.transact(async (env) => {
      const made = await env.model('deal.tag').create({ name: 'big' });
      return { tag: made, tagged: await makeCustomer(env, { tag_ids: [['set', [made]]] }) };
    });
    expect(await order(await create({ customer_id: tagged }), 'tag_ids')).toEqual({ tag_ids: [tag] });
    const none = await create({ customer_id: tagged, tag_ids: [] });
    expect(await order(none, 'tag_ids')).toEqual({ tag_ids: [] });
    const id = await create({ customer_id: other });
    await write(id, { customer_id: tagged });
    expect(await order(id, 'tag_ids')).toEqual({ tag_ids: [tag] });
    await write(id, { customer_id: other, tag_ids: [['set', [tag]]] });
    expect(await order(id, 'tag_ids')).toEqual({ tag_ids: [tag] });
  });

  it('gives the records of a copy what the original has', async () => {
    const id = await create({ customer_id: customer, days: 3, line_ids: [['create', { name: 'A', price: 5 }]] });
    const copy = await run((env) => env.model('deal.order').copy(id));
    expect(await order(copy, 'days', 'terms', 'total')).toEqual({ days: 3, terms: '3 days', total: '5' });
    const moved = await run((env) => env.model('deal.order').copy(id, { customer_id: other }));
    expect(await order(moved, 'days')).toEqual({ days: 3 });
  });

  it('works out its lines from the record that they stand in, and the record from its lines', async () => {
    const product = await deals.transact((env) => env.model('deal.product').create({ name: 'Desk', price: '10' }));
    const id = await create({
      rate: 2,
      line_ids: [
        ['create', { product_id: product }],
        ['create', { product_id: product, qty: 10, name: 'Many' }],
        ['create', { product_id: product, price: 1 }],
      ],
    });
    const lines = await deals.env
      .model('deal.line')
      .searchRead([['order_id', '=', id]], ['name', 'price', 'amount'], { order: 'id' });
    expect(lines.map(({ name, price, amount }) => `${name} ${price} ${amount}`)).toEqual([
      'Desk 20 20',
      'Many 18 180',
      'Desk 1 1',
    ]);
    expect(await order(id, 'total', 'size')).toEqual({ total: '201', size: 3 });
  });

  long('is one of 10,000 without a statement for each', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ customer_id: index % 2 ? customer : other }));
    await deals.transact(async (env) => {
      const ids = await expectQueries(env.db, { atMost: 14 }, () => env.model('deal.order').createMany(rows));
      const read = await env.model('deal.order').read(ids.slice(0, 2), ['days', 'terms']);
      expect(read).toMatchObject([
        { days: 30, terms: '30 days' },
        { days: 14, terms: '14 days' },
      ]);
    });
  });

  it('of a model without editable computes costs what it did', async () => {
    await deals.transact((env) => expectQueries(env.db, 1, () => env.model('deal.tag').create({ name: 'x' })));
  });
});

describe('CMP-10 a change', () => {
  it('of what a value is made from gives it anew, and what follows from it', async () => {
    const id = await create({ customer_id: customer });
    await write(id, { customer_id: other });
    expect(await order(id, 'days', 'terms', 'owner', 'label')).toEqual({
      ...{ days: 30, terms: '30 days', owner: 2, label: '(30 days)' },
    });
  });

  it('leaves what the same call sets, and what nobody touched', async () => {
    const id = await create({ customer_id: customer });
    await write(id, { customer_id: other, days: 5 });
    expect(await order(id, 'days', 'terms', 'owner')).toEqual({ days: 5, terms: '5 days', owner: 2 });
    await write(id, { terms: 'cash' });
    await write(id, { name: 'S1' });
    await write(id, { customer_id: other });
    expect(await order(id, 'days', 'terms')).toEqual({ days: 5, terms: 'cash' });
    await write(id, { customer_id: customer, days: null });
    expect(await order(id, 'days', 'terms')).toEqual({ days: null, terms: 'no days' });
  });

  it('elsewhere changes nothing', async () => {
    const own = await deals.transact((env) => makeCustomer(env));
    const id = await create({ customer_id: own });
    await deals.transact((env) => env.model('deal.customer').write([own], { days: 99 }));
    expect(await order(id, 'days')).toEqual({ days: 14 });
  });

  it('keeps what is there where the compute leaves it open', async () => {
    const product = await deals.transact((env) => env.model('deal.product').create({ name: 'Lamp', price: '5' }));
    const id = await create({ line_ids: [['create', { name: 'Hand', price: 7 }]] });
    const [line] = await deals.env.model('deal.line').search([['order_id', '=', id]]);
    const update = (values: Values) => write(id, { line_ids: [['update', line, values]] });
    await update({ qty: 20 });
    expect(await look(deals.env, 'deal.line', line as number, 'name', 'price')).toEqual({ name: 'Hand', price: '7' });
    await update({ product_id: product });
    expect(await look(deals.env, 'deal.line', line as number, 'name', 'price')).toEqual({ name: 'Lamp', price: '4.5' });
    await update({ product_id: null });
    expect(await look(deals.env, 'deal.line', line as number, 'name', 'price')).toEqual({ name: 'Lamp', price: null });
  });

  it('of lines counts when it is one', async () => {
    const id = await create({ line_ids: [['create', { name: 'A' }]] });
    const [line] = await deals.env.model('deal.line').search([['order_id', '=', id]]);
    await write(id, { size: 40 });
    await write(id, { line_ids: [] });
    await write(id, { line_ids: [['link', line]] });
    expect(await order(id, 'size')).toEqual({ size: 40 });
    await write(id, {
      line_ids: [
        ['create', { name: 'B' }],
        ['update', line, { qty: 5 }],
      ],
    });
    expect(await order(id, 'size')).toEqual({ size: 2 });
    await write(id, { line_ids: [['delete', line]] });
    expect(await order(id, 'size')).toEqual({ size: 1 });
  });

  it('goes into the same statement, for many records, and into the history', async () => {
    await deals.transact(async (env) => {
      const ids = await env
        .model('deal.order')
        .createMany(Array.from({ length: 500 }, () => ({ customer_id: customer })));
      const before = env.work.changes.length;
      await expectQueries(env.db, { atMost: 10 }, () => env.model('deal.order').write(ids, { customer_id: other }));
      const own = env.work.changes.slice(before).filter((change) => change.id === ids[0]);
      expect(own[0]?.values).toMatchObject({
        customer_id: { old: customer, new: other },
        days: { old: 14, new: 30 },
        terms: { old: '14 days', new: '30 days' },
      });
    });
  });

  it('takes rows with values of their own', async () => {
    const [a, b] = (await run((env) =>
      env.model('deal.order').createMany([{ customer_id: customer }, { customer_id: customer }]),
    )) as [number, number];
    await run((env) =>
      env.model('deal.order').writeEach([
        { id: a, values: { customer_id: other } },
        { id: b, values: { customer_id: other, days: 1 } },
      ]),
    );
    expect([await order(a, 'days', 'terms'), await order(b, 'days', 'terms')]).toEqual([
      { days: 30, terms: '30 days' },
      { days: 1, terms: '1 days' },
    ]);
  });

  it('of nothing writes nothing, and of other fields costs what it did', async () => {
    const id = await create({ customer_id: customer });
    await deals.transact(async (env) => {
      await env.model('deal.order').write([id], { customer_id: customer });
      expect(env.work.changes).toEqual([]);
      await expectQueries(env.db, 1, () => env.model('deal.order').write([id], { name: 'x' }));
    });
  });

  it('that puts back what was there computes nothing', async () => {
    const id = await create({ customer_id: customer });
    const restore = (values: Values) => run((env) => env.model('deal.order').write([id], values, { restores: true }));
    await restore({ customer_id: other });
    expect(await order(id, 'days')).toEqual({ days: 14 });
    const ids = await run((env) =>
      env.model('deal.order').createMany([{ customer_id: customer, terms: 'x' }], { restores: true }),
    );
    expect(await order(ids[0] as number, 'days', 'owner')).toEqual({ days: null, owner: null });
  });
});

describe('CMP-10 with base', () => {
  it('RPC-18 a value that somebody else changed meanwhile stays', async () => {
    const id = await create({ customer_id: customer });
    const base = { customer_id: customer, days: 14, terms: '14 days', owner: 7, tag_ids: [] };
    await write(id, { days: 60 });
    await write(id, { customer_id: other }, base);
    expect(await order(id, 'customer_id', 'days', 'terms', 'owner')).toEqual({
      ...{ customer_id: other, days: 60, terms: '60 days', owner: 2 },
    });
  });

  it('RPC-18 a many2many that somebody else changed meanwhile stays', async () => {
    const { tag, tagged } = await deals.transact(async (env) => {
      const [mine, theirs] = await env.model('deal.tag').createMany([{ name: 'mine' }, { name: 'theirs' }]);
      return { tag: theirs as number, tagged: await makeCustomer(env, { tag_ids: [['set', [mine]]] }) };
    });
    const id = await create({ customer_id: customer });
    await write(id, { tag_ids: [['set', [tag]]] });
    await write(id, { customer_id: tagged }, { customer_id: customer, tag_ids: [] });
    expect(await order(id, 'tag_ids')).toEqual({ tag_ids: [tag] });
  });
});

describe('CMP-10 in a form', () => {
  it('RPC-14 opens with the values that a create would give', async () => {
    const blank = await onchange({}, []);
    expect(blank).toMatchObject({ days: null, terms: 'no days', owner: 2, size: 0 });
    // No links are nothing new to an empty form.
    expect(blank).not.toHaveProperty('tag_ids');
    const opened = await onchange({ customer_id: customer, owner: 9 }, []);
    expect(opened).toMatchObject({ days: 14, terms: '14 days', label: '(14 days)' });
    expect(opened).not.toHaveProperty('owner');
  });

  it('RPC-14 follows what changes, whatever stood there, and leaves the rest', async () => {
    const form = { customer_id: customer, days: 5, terms: 'cash', owner: 1 };
    expect(await onchange({ ...form, customer_id: other }, ['customer_id'])).toMatchObject({
      ...{ days: 30, terms: '30 days', owner: 2, label: '(30 days)' },
    });
    const days = await onchange({ ...form, days: 8 }, ['days']);
    expect(days).toMatchObject({ terms: '8 days', label: '(8 days)' });
    expect(days).not.toHaveProperty('owner');
    const both = await onchange({ ...form, customer_id: other, days: 6 }, ['customer_id', 'days']);
    expect(both).toMatchObject({ terms: '6 days', owner: 2 });
    expect(both).not.toHaveProperty('days');
    expect(await onchange({ ...form, name: 'x' }, ['name'])).toEqual({});
  });

  it('RPC-14 follows on a stored record', async () => {
    const id = await create({ customer_id: customer, owner: 4 });
    expect(await onchange({ customer_id: other }, ['customer_id'], id)).toMatchObject({ days: 30, owner: 2 });
    expect(await onchange({ rate: 3 }, ['rate'], id)).toEqual({});
    expect(await order(id, 'days', 'owner')).toEqual({ days: 14, owner: 4 });
  });

  it('RPC-14 works out lines as a save would, in few statements', async () => {
    const product = await deals.transact((env) => env.model('deal.product').create({ name: 'Sofa', price: '10' }));
    const line_ids = [
      ['create', { product_id: product }],
      ['create', { product_id: product, name: 'Own', qty: 10 }],
    ];
    expect(await onchange({ rate: 3, line_ids }, ['line_ids'])).toMatchObject({
      line_ids: [
        ['create', { product_id: product, name: 'Sofa', price: '30', amount: '30' }],
        ['create', { product_id: product, name: 'Own', qty: 10, price: '27', amount: '270' }],
      ],
      total: '300',
      size: 2,
    });
    const count = async (lines: number) => {
      const created = Array.from({ length: lines }, () => ['create', { product_id: product, name: 'A' }]);
      const id = await create({ line_ids: created });
      const ids = await deals.env.model('deal.line').search([['order_id', '=', id]], { order: 'id' });
      const before = deals.database.statements;
      const value = await onchange({ line_ids: ids.map((each) => ['update', each, { qty: 20 }]) }, ['line_ids'], id);
      expect(value.line_ids).toContainEqual(['update', ids[0], { qty: 20, price: '9', amount: '180' }]);
      return deals.database.statements - before;
    };
    const few = await count(2);
    expect(await count(200)).toBe(few);
  });

  it('RPC-14 a line sees the form around it, and its price stays when the form changes', async () => {
    const product = await deals.transact((env) => env.model('deal.product').create({ name: 'Bed', price: '10' }));
    const asked = deals.as(user).model('deal.line');
    const { value } = await asked.onchange({ product_id: product, order_id: { rate: 5 } }, ['product_id']);
    expect(plain(value)).toMatchObject({ name: 'Bed', price: '50' });
    const id = await create({ line_ids: [['create', { product_id: product }]] });
    expect(await onchange({ rate: 7 }, ['rate'], id)).toEqual({});
  });

  it('RPC-14 asks the handlers of what a compute changed', async () => {
    const warned = inheritModel('deal.order', {
      onchange: {
        days: {
          value: ({ days }) =>
            Number(days) > 20
              ? { answer: { value: { name: 'Slow' }, warning: { title: 'T', message: 'Long.' } } }
              : undefined,
        },
      },
    });
    const world = await openDeals([warned]);
    try {
      const id = await world.transact((env) => makeCustomer(env, { days: 30 }));
      const answer = await world.as(user).model('deal.order').onchange({ customer_id: id }, ['customer_id']);
      expect(answer).toMatchObject({ value: { days: 30, name: 'Slow' }, warning: { message: 'Long.' } });
    } finally {
      await world.drop();
    }
  });
});
