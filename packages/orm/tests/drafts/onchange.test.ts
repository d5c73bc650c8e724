import { defineModel, type Env, fields, inheritModel } from '@kontor/orm';
import { parseDomain } from '@kontor/protocol';
import { expectQueries, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, openTrade, plain, refusal } from '../computing/trade.ts';

const endless = inheritModel('trade.campaign', {
  onchange: { name: { value: ({ name }) => ({ name: `${name}!` }) } },
});

const ratio = defineModel('trade.ratio', {
  fields: {
    whole: fields.integer({ required: true }),
    part: fields.integer({ required: true }),
    share: fields.integer({ computed: true }),
    text: fields.char({ computed: true }),
  },
  computes: {
    text: { depends: ['share'], value: ({ share }) => (share as number).toFixed(1) },
    share: {
      depends: ['whole', 'part'],
      value: ({ whole, part }) => {
        if (!part) throw new RangeError('Division by zero');
        return Number(whole) / Number(part);
      },
    },
  },
});

let trade: TestWorld;
let manager: Env;
let user: Env;
beforeAll(async () => {
  trade = await openTrade([endless, ratio]);
  manager = trade.as({ uid: 2, groups: new Set(['trade.manager']) });
  user = trade.as({ uid: 3 });
});
afterAll(() => trade.drop());

async function change(
  env: Env,
  values: object,
  changed: readonly string[],
  id?: number,
): Promise<Record<string, unknown>> {
  const asked = env.model('trade.order').onchange(values as never, changed, id === undefined ? {} : { id });
  return plain(await asked) as Record<string, unknown>;
}
const valuesOf = async (...asked: Parameters<typeof change>) =>
  (await change(...asked)).value as Record<string, unknown>;
const make = (prices: readonly number[] = [], values = {}) => trade.transact((env) => makeOrder(env, prices, values));
const linesOf = (id: number) => trade.env.model('trade.line').search([['order_id', '=', id]], { order: 'id' });
const partner = (values: object = {}) =>
  trade.transact((env) => env.model('trade.partner').create({ name: 'Ada', ...values }));

describe('onchange', () => {
  it('RPC-14 onchange without values gives the defaults of a new record, draws no number and writes nothing', async () => {
    const before = await trade.env.model('trade.order').count();
    const { value } = await change(user, {}, []);
    expect(value).toMatchObject({
      state: 'draft',
      active: true,
      discount: '0',
      total: '0',
      lines: 0,
      due: '0',
      headline: 'New: ?',
    });
    expect(value).not.toHaveProperty('number');
    expect(await trade.env.model('trade.order').count()).toBe(before);
  });

  it('RPC-14 onchange takes what is known of a new record into its defaults, and asks its handlers', async () => {
    const partner_id = await partner({ payment_days: 14 });
    const value = await valuesOf(user, { partner_id, state: 'sale' }, []);
    expect(value).toMatchObject({ payment_days: 14, active: true, headline: 'New: Ada' });
    expect(value).not.toHaveProperty('state');
  });

  it('RPC-14 onchange answers what handlers and computes of the changed field say, and no more', async () => {
    const partner_id = await partner({ payment_days: 21, country: 'NL' });
    expect(await change(user, { partner_id, discount: 5 }, ['partner_id'])).toEqual({
      value: { payment_days: 21, country: 'NL', headline: 'New: Ada' },
    });
    expect(await change(user, { name: 'x' }, ['name'])).toEqual({ value: {} });
  });

  it('RPC-14 onchange runs the handlers of what a handler changed, with warning and domain', async () => {
    const partner_id = await partner({ payment_days: 90 });
    expect(await change(user, { partner_id }, ['partner_id'])).toEqual({
      value: { payment_days: 90, name: 'Slow payer', country: null, headline: 'New: Ada' },
      warning: { title: 'Payment', message: 'That is a long time.' },
      domain: { campaign_id: [['name', '=', 'slow']] },
    });
  });

  it('RPC-14 onchange stops handlers that never end', async () => {
    const asked = user.model('trade.campaign').onchange({ name: 'a' }, ['name']);
    await expect(asked).rejects.toThrow('without end');
  });

  it('RPC-14 onchange lays the draft over the stored record', async () => {
    const id = await make([10, 20]);
    const partner_id = await partner({ name: 'Bob', payment_days: 30 });
    const value = await valuesOf(user, { partner_id }, ['partner_id'], id);
    expect(value).toMatchObject({ payment_days: 30, country: null, headline: expect.stringMatching(/^SO\d+: Bob$/) });
    expect(value).not.toHaveProperty('total');
    expect(await valuesOf(user, {}, [], id)).toEqual({});
  });

  it('RPC-14 onchange works lines out of commands, and what depends on them', async () => {
    const id = await make([10, 20]);
    const [first, second] = (await linesOf(id)) as [number, number];
    const line_ids = [
      ['update', first, { qty: 3 }],
      ['delete', second],
      ['create', { price: 4, qty: 2 }],
      ['create', { price: 1 }],
    ];
    const value = await valuesOf(user, { line_ids }, ['line_ids'], id);
    expect(value).toEqual({
      line_ids: [
        ['update', first, { qty: 3, subtotal: '30' }],
        ['delete', second],
        ['create', { price: 4, qty: 2, subtotal: '8' }],
        ['create', { price: 1, subtotal: '1' }],
      ],
      total: '39',
      lines: 3,
      first_due: null,
      tax: '7.41',
      due: '46.41',
    });
    expect(await trade.env.model('trade.line').count([['order_id', '=', id]])).toBe(2);
  });

  it('RPC-14 onchange keeps lines that are as the caller has them out of the answer', async () => {
    const line_ids = [['create', { price: 4, qty: 2, subtotal: 8 }]];
    expect(await valuesOf(user, { line_ids }, ['line_ids'])).toEqual({
      total: '8',
      lines: 1,
      first_due: null,
      tax: '1.52',
      due: '9.52',
    });
  });

  it('RPC-14 onchange works stored lines out anew when they depend on the form around them', async () => {
    const id = await make([10, 20]);
    const [first, second] = (await linesOf(id)) as [number, number];
    const value = await valuesOf(user, { discount: 50 }, ['discount'], id);
    expect(value).toMatchObject({
      line_ids: [
        ['update', first, { subtotal: '5' }],
        ['update', second, { subtotal: '10' }],
      ],
      total: '15',
      due: '17.85',
    });
    const created = await valuesOf(user, { discount: 50, line_ids: [['create', { price: 8 }]] }, ['discount']);
    expect(created).toMatchObject({ line_ids: [['create', { price: 8, subtotal: '4' }]], total: '4' });
  });

  it('RPC-14 onchange sees earlier edits of the form when another field changes', async () => {
    const id = await make([10]);
    const [line] = await linesOf(id);
    const line_ids = [['update', line, { qty: 5, subtotal: '50' }]];
    expect(await valuesOf(user, { line_ids, discount: 10 }, ['discount'], id)).toMatchObject({
      line_ids: [['update', line, { qty: 5, subtotal: '45' }]],
      total: '45',
    });
  });

  it('RPC-14 onchange is patient with a form that still lacks required values', async () => {
    const line_ids = [
      ['create', { price: null }],
      ['create', { price: 3 }],
    ];
    const value = await valuesOf(user, { line_ids }, ['line_ids']);
    expect(value).toMatchObject({
      line_ids: [
        ['create', { price: null, subtotal: null }],
        ['create', { price: 3, subtotal: '3' }],
      ],
      total: '3',
      lines: 2,
    });
  });

  it('RPC-14 onchange gives no value yet where a compute counts on what is still missing', async () => {
    const ratio = trade.env.model('trade.ratio');
    expect(await ratio.onchange({ whole: 8, part: 2 }, ['part'])).toMatchObject({ value: { share: 4, text: '4.0' } });
    expect(await ratio.onchange({ whole: 8, part: null } as never, ['part'])).toMatchObject({
      value: { share: null, text: null },
    });
    await expect(ratio.onchange({ whole: 8, part: 0 }, ['part'])).rejects.toThrow('Division by zero');
  });

  it('RPC-14 onchange computes what only the server computes, whatever the form holds of it', async () => {
    const id = await make([4, 5]);
    for (const total of [null, 99]) {
      expect(await valuesOf(user, { total }, ['total'], id)).toMatchObject({ due: '10.71' });
    }
  });

  it('RPC-14 onchange asks a constant number of statements, whatever the number of lines', async () => {
    const count = async (lines: number) => {
      const id = await make(Array.from({ length: lines }, (_, i) => i));
      const before = trade.database.statements;
      await change(user, { discount: 10 }, ['discount'], id);
      return trade.database.statements - before;
    };
    const few = await count(2);
    expect(await count(300)).toBe(few);
    expect(few).toBeLessThanOrEqual(6);
  });

  it('RPC-14 onchange shows computed fields only to those who may read them', async () => {
    const line_ids = [['create', { price: 10 }]];
    expect(await valuesOf(manager, { line_ids }, ['line_ids'])).toMatchObject({ profit: '5' });
    expect(await valuesOf(user, { line_ids }, ['line_ids'])).not.toHaveProperty('profit');
    const probing = change(user, { profit: 3 }, ['profit']);
    expect(await refusal(probing)).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'field' } });
  });

  it('RPC-14 onchange tells nothing of a record that a rule hides', async () => {
    const hidden = await partner({ name: 'Secret', is_hidden: true, payment_days: 77 });
    const rule = {
      name: 'no hidden',
      domain: parseDomain([['is_hidden', '=', false]]),
      groups: [],
      operations: new Set(['read'] as const),
    };
    const limited = trade.as({ uid: 4 }, trade.database, { rules: new Map([['trade.partner', [rule]]]) });
    expect(await valuesOf(limited, { partner_id: hidden }, ['partner_id'])).toEqual({
      payment_days: null,
      country: null,
      headline: 'New: ?',
    });
    const access = new Map([['trade.order', [{ group: null, read: true, write: true, create: true, unlink: true }]]]);
    const narrow = trade.as({ uid: 4 }, trade.database, { access });
    expect(await valuesOf(narrow, { partner_id: hidden }, ['partner_id'])).toMatchObject({ headline: 'New: ?' });
  });

  it('RPC-14 onchange tells nothing of lines that a rule hides', async () => {
    const id = await make([10, 20]);
    const [first] = (await linesOf(id)) as [number, number];
    const rule = {
      name: 'small lines',
      domain: parseDomain([['price', '<', 15]]),
      groups: [],
      operations: new Set(['read'] as const),
    };
    const limited = trade.as({ uid: 4 }, trade.database, { rules: new Map([['trade.line', [rule]]]) });
    expect(await valuesOf(limited, { discount: 50 }, ['discount'], id)).toMatchObject({
      line_ids: [['update', first, { subtotal: '5' }]],
      total: '15',
    });
    const access = new Map([['trade.order', [{ group: null, read: true, write: true, create: true, unlink: true }]]]);
    const narrow = trade.as({ uid: 4 }, trade.database, { access });
    expect(await valuesOf(narrow, { discount: 50 }, ['discount'], id)).not.toHaveProperty('line_ids');
  });

  it('RPC-14 onchange needs read access and a record that exists', async () => {
    const nobody = trade.as({ uid: 5 }, trade.database, { access: new Map() });
    expect(await refusal(change(nobody, {}, []))).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'model' } });
    expect(await refusal(change(user, {}, ['name'], 999_999))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('RPC-14 onchange takes an object for the form around a line, and for no other relation', async () => {
    const refused = (values: Record<string, unknown>, field: string) =>
      refusal(user.model('trade.order').onchange(values, [field]));
    for (const value of [{}, { id: 1 }, [], [1]]) {
      expect(await refused({ partner_id: value }, 'partner_id')).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { fields: { partner_id: [expect.any(String)] } },
      });
    }
    expect(await refusal(user.model('trade.line').onchange({ price: 1, order_id: [1] }, ['price']))).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('RPC-14 onchange names unknown fields and values that do not fit', async () => {
    expect(await refusal(change(user, { nam: 'x' }, []))).toMatchObject({
      code: 'INVALID_ARGS',
      details: { field: 'nam', hint: 'name' },
    });
    expect(await refusal(change(user, {}, ['__proto__']))).toMatchObject({ code: 'INVALID_ARGS' });
    expect(await refusal(change(user, { line_ids: [['create', { prise: 1 }]] }, []))).toMatchObject({
      code: 'INVALID_ARGS',
      details: { field: 'prise' },
    });
    expect(await refusal(change(user, { date: 'soon' }, ['date']))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { date: [expect.any(String)] } },
    });
    expect(await refusal(change(user, { line_ids: 5 }, ['line_ids']))).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refusal(change(user, {}, 'name' as never))).toMatchObject({ code: 'INVALID_ARGS' });
  });

  it('RPC-14 onchange of a line sees the form around it, made or not', async () => {
    const change = async (values: object) => plain(await user.model('trade.line').onchange(values as never, ['price']));
    expect(await change({ price: 8, order_id: { discount: 50 } })).toMatchObject({ value: { subtotal: '4' } });
    const id = await make([], { discount: 25 });
    expect(await change({ price: 8, order_id: id })).toMatchObject({ value: { subtotal: '6' } });
    expect(await change({ price: 8, order_id: { id } })).toMatchObject({ value: { subtotal: '6' } });
    expect(await change({ price: 8, order_id: { id, discount: 50 } })).toMatchObject({ value: { subtotal: '4' } });
    await expect(change({ price: 8, order_id: { discuont: 1 } })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
  });

  it('RPC-14 onchange of a line tells nothing of a form that a rule hides', async () => {
    const id = await make([], { discount: 25 });
    const rule = {
      name: 'none',
      domain: parseDomain([['id', '=', 0]]),
      groups: [],
      operations: new Set(['read'] as const),
    };
    const limited = trade.as({ uid: 4 }, trade.database, { rules: new Map([['trade.order', [rule]]]) });
    const asked = limited.model('trade.line').onchange({ price: 8, order_id: { id } }, ['price']);
    expect(plain(await asked)).toMatchObject({ value: { subtotal: '8' } });
  });

  it('RPC-14 onchange plays commands on a many2many from both of its sides', async () => {
    const id = await make([10]);
    const line = ['create', { price: 8 }];
    const asked = (order_ids: unknown) => user.model('trade.tag').onchange({ name: 'new', order_ids }, ['order_ids']);
    expect(plain(await asked([['create', { line_ids: [line] }]]))).toMatchObject({ value: { revenue: '8' } });
    expect(
      plain(
        await asked([
          ['link', id],
          ['create', { line_ids: [line] }],
        ]),
      ),
    ).toMatchObject({ value: { revenue: '18' } });
  });

  it('RPC-14 onchange of a record that is its own parent ends', async () => {
    const id = await trade.transact((env) => env.model('trade.category').create({ name: 'A' }));
    const { value } = await user.model('trade.category').onchange({ parent_id: id }, ['parent_id'], { id });
    expect(value).toHaveProperty('full_name');
  });

  it('RPC-14 onchange writes nothing', async () => {
    const id = await make([10]);
    await trade.database.transaction(
      (tx) =>
        expectQueries(tx, { atMost: 8 }, () => change(trade.as({ uid: 3 }, tx), { discount: 1 }, ['discount'], id)),
      { readOnly: true },
    );
  });
});
