import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
let partner: number;
let next = 0;
const order = 'shop.order';
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
  partner = await admin.rpc('core.partner', 'create', [{ name: 'Berg & Co', email: 'info@berg.example' }]);
});
afterAll(() => world.close());

const fresh = (values: object = {}) => admin.rpc<number>(order, 'create', [{ name: `O${++next}`, ...values }]);
const read = async (id: number, fields: unknown[]) =>
  (await admin.rpc<Record<string, unknown>[]>(order, 'read', [[id], fields]))[0];
const count = async () => (await admin.rpc<unknown[]>(order, 'search_read', [[], []])).length;

describe('create, write, unlink', () => {
  it('RPC-10 create gives the new id', async () => {
    const id = await fresh({ line_ids: [['create', { name: 'a', qty: 3, price: '0.10' }]] });
    expect(id).toBeTypeOf('number');
    expect(await read(id, ['state', 'amount_total', 'user_id'])).toEqual({
      id,
      state: 'draft',
      amount_total: 0.3,
      user_id: 1,
    });
  });

  it('RPC-10 create names every bad value at its field, and writes nothing', async () => {
    const before = await count();
    const { status, error } = await admin.call({
      model: order,
      method: 'create',
      args: [{ state: 'lost', count: 'many', date_order: '2026-02-30' }],
    });
    expect([status, error?.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(Object.keys(error?.details.fields as object).sort()).toEqual(['count', 'date_order', 'name', 'state']);
    const unique = await admin.call({
      model: order,
      method: 'create',
      args: [{ name: (await read(await fresh(), ['name']))?.name }],
    });
    expect([unique.status, Object.keys(unique.error?.details.fields as object)]).toEqual([422, ['name']]);
    const constraint = await admin.call({
      model: order,
      method: 'create',
      args: [{ name: 'sold to nobody', state: 'sold' }],
    });
    expect(constraint.error?.details.fields).toEqual({ partner_id: ['Say who buys it.'] });
    const missing = await admin.call({ model: order, method: 'create', args: [{ name: 'x', partner_id: 999_999 }] });
    expect([missing.status, Object.keys(missing.error?.details.fields as object)]).toEqual([422, ['partner_id']]);
    expect(await count()).toBe(before + 1);
  });

  it.each([[{ nome: 1 }], [{ __proto__x: 1 }], [{ constructor: 1 }], [{ 'partner_id.name': 'x' }]])(
    'RPC-10 REC-9 refuses the field in %j',
    async (values) => {
      expect(await admin.outcome(order, 'create', [{ name: 'x', ...values }])).toBe('400 INVALID_ARGS');
    },
  );

  it('RPC-10 REC-9 a field called __proto__ is an unknown field, not a prototype', async () => {
    const values = JSON.parse('{"name": "p", "__proto__": {"state": "sold"}}');
    expect(await admin.outcome(order, 'create', [values])).toBe('400 INVALID_ARGS');
    expect(await admin.outcome(order, 'write', [[await fresh()], values])).toBe('400 INVALID_ARGS');
  });

  it('RPC-11 write gives true, and changes the records named', async () => {
    const [a, b] = [await fresh(), await fresh()];
    expect(await admin.rpc(order, 'write', [[a, b], { note: 'both' }])).toBe(true);
    expect(await read(b, ['note'])).toEqual({ id: b, note: 'both' });
    expect(await admin.outcome(order, 'write', [[a, 999_999], { note: 'lost' }])).toBe('404 NOT_FOUND');
    expect(await read(a, ['note'])).toEqual({ id: a, note: 'both' });
    expect(await admin.outcome(order, 'write', [[a], { nome: 1 }])).toBe('400 INVALID_ARGS');
    expect(await admin.outcome(order, 'write', [[a], []])).toBe('400 INVALID_ARGS');
    expect(await admin.outcome(order, 'write', [a, { note: 'x' }])).toBe('400 INVALID_ARGS');
    const { status, error } = await admin.call({ model: order, method: 'write', args: [[a], { reference: 'forged' }] });
    expect([status, error?.code, error?.details.layer]).toEqual([403, 'ACCESS_DENIED', 'field']);
  });

  it('RPC-12 unlink gives true, and names what is missing', async () => {
    const id = await fresh();
    expect(await admin.rpc(order, 'unlink', [[id]])).toBe(true);
    expect(await admin.outcome(order, 'read', [[id]])).toBe('404 NOT_FOUND');
    const { status, error } = await admin.call({ model: order, method: 'unlink', args: [[id]] });
    expect([status, error?.code, error?.details.missing_ids]).toEqual([404, 'NOT_FOUND', [id]]);
  });

  it('RPC-13 the many forms are one transaction each', async () => {
    const before = await count();
    const made = await admin.rpc<number[]>(order, 'create_many', [[{ name: 'm1' }, { name: 'm2' }]]);
    expect(made).toHaveLength(2);
    const spread = await admin.rpc<number[]>(order, 'create_many', [[{ name: 'm3' }], [{ name: 'm4' }]]);
    expect(spread).toHaveLength(2);
    expect(await admin.outcome(order, 'create_many', [[{ name: 'm5' }, { name: 'm1' }]])).toBe('422 VALIDATION_ERROR');
    expect(await admin.outcome(order, 'create_many', [{ name: 'm5' }])).toBe('400 INVALID_ARGS');
    expect(await admin.outcome(order, 'create_many', [])).toBe('400 INVALID_ARGS');
    expect(await admin.outcome(order, 'write_many', [[...made, 999_999], { note: 'n' }])).toBe('404 NOT_FOUND');
    expect(await read(made[0] as number, ['note'])).toMatchObject({ note: null });
    expect(await admin.rpc(order, 'write_many', [made, { note: 'n' }])).toBe(true);
    expect(await admin.outcome(order, 'unlink_many', [[...made, 999_999]])).toBe('404 NOT_FOUND');
    expect(await count()).toBe(before + 4);
    expect(await admin.rpc(order, 'unlink_many', [[...made, ...spread]])).toBe(true);
    expect(await count()).toBe(before);
    const rows = Array.from({ length: 10_001 }, () => ({ name: 'x' }));
    expect(await admin.outcome('shop.tag', 'create_many', [rows])).toBe('400 INVALID_ARGS');
  });
});

describe('call', () => {
  it('RPC-9 runs a registered action on a record or a selection, and answers true or a redirect', async () => {
    const [a, b] = [await fresh({ partner_id: partner }), await fresh({ partner_id: partner })];
    expect(await admin.rpc(order, 'call', [a, 'action_sell'])).toBe(true);
    expect(await read(a, ['state', 'reference'])).toMatchObject({ state: 'sold', reference: 'SOLD 1' });
    expect(await admin.rpc(order, 'call', [0, 'action_sell', { active_ids: `${a}, ${b}` }])).toBe(true);
    expect(await read(b, ['reference'])).toMatchObject({ reference: 'SOLD 2' });
    expect(await admin.rpc(order, 'call', [a, 'action_open'])).toEqual({
      redirect: expect.stringContaining(`id=${a}`),
    });
    expect(await admin.rpc(order, 'call', [a, 'action_audit'])).toBe(true);
  });

  it('RPC-9 a refusal is USER_ERROR with the message for the person, and takes everything back', async () => {
    const id = await fresh();
    const { status, error } = await admin.call({
      model: order,
      method: 'call',
      args: [id, 'action_sell', { refuse: 'yes' }],
    });
    expect([status, error?.code, error?.message]).toEqual([422, 'USER_ERROR', `Order ${id} cannot be sold.`]);
    expect(await admin.outcome(order, 'call', [id, 'action_sell'])).toBe('422 VALIDATION_ERROR');
    expect(await read(id, ['state'])).toMatchObject({ state: 'draft' });
  });

  it('RPC-9 nothing that is not registered can be reached by any name', async () => {
    const id = await fresh();
    const names = [
      'action_nothing',
      'create',
      'write',
      'unlink',
      'sudo',
      'constructor',
      '__proto__',
      'toString',
      'then',
    ];
    for (const name of [
      ...names,
      'valueOf',
      'action_sell ',
      'ACTION_SELL',
      'action_sell\0',
      'hasOwnProperty',
      '0',
      'sell',
    ]) {
      const { status, error } = await admin.call({ model: order, method: 'call', args: [id, name] });
      expect([name, status, error?.code]).toEqual([name, 404, 'ACTION_NOT_FOUND']);
    }
  });

  it.each([
    [[]],
    [[1]],
    [[1, '']],
    [[1, 7]],
    [['1', 'action_sell']],
    [[0, 'action_sell']],
    [[0, 'action_sell', { active_ids: '' }]],
    [[0, 'action_sell', { active_ids: '1,x' }]],
    [[0, 'action_sell', { active_ids: '0x1' }]],
    [[0, 'action_sell', { active_ids: '1;2' }]],
    [[1, 'action_sell', { active_ids: 5 }]],
    [[1, 'action_sell', ['a']]],
    [[1, 'action_sell', {}, {}]],
  ])('RPC-9 refuses the arguments %j', async (args) => {
    expect(await admin.outcome(order, 'call', args)).toBe('400 INVALID_ARGS');
  });

  it('RPC-9 acts with the rights of the caller', async () => {
    const id = await fresh({ partner_id: partner });
    const user = await world.user('Reader Ruth');
    expect(await user.browser.outcome(order, 'call', [id, 'action_sell'])).toBe('403 ACCESS_DENIED');
    expect(await user.browser.outcome(order, 'call', [id, 'action_audit'])).toBe('403 ACCESS_DENIED');
    expect(await admin.outcome(order, 'call', [999_999, 'action_sell'])).toBe('404 NOT_FOUND');
  });

  long('RPC-24 every model has action_copy', async () => {
    const id = await admin.rpc<number>('core.partner', 'create', [{ name: 'Twin', email: 'twin@example.com' }]);
    const { redirect } = await admin.rpc<{ redirect: string }>('core.partner', 'call', [id, 'action_copy']);
    const copied = Number(new URL(redirect, world.url).searchParams.get('id'));
    expect(await admin.rpc('core.partner', 'read', [[copied], ['email']])).toEqual([
      { id: copied, email: 'twin@example.com' },
    ]);
    for (const name of world.kernel.registry.models.keys()) {
      expect(await admin.outcome(name, 'call', [2_000_000_000, 'action_copy'])).not.toContain('ACTION_NOT_FOUND');
    }
  });
});

describe('action_reorder', () => {
  it('RPC-25 gives every record a number of its own in one change, which can be taken back', async () => {
    const ids = [await fresh({ count: 1 }), await fresh({ count: 2 }), await fresh({ count: 3 })];
    const vals = { active_ids: [...ids].reverse().join(','), field: 'count', values: '30,10,20' };
    const answer = await admin.call({ model: order, method: 'call', args: [0, 'action_reorder', vals] });
    expect([answer.ok, answer.result]).toEqual([true, true]);
    const counts = async () =>
      (await admin.rpc<{ count: number }[]>(order, 'read', [ids, ['count']])).map((one) => one.count);
    expect(await counts()).toEqual([20, 10, 30]);
    await admin.rpc('sys.change.set', 'call', [Number(answer.headers.get('x-change-set')), 'action_revert']);
    expect(await counts()).toEqual([1, 2, 3]);
  });

  long('RPC-25 every model has it, for whoever may write', async () => {
    for (const name of world.kernel.registry.models.keys()) {
      const vals = { active_ids: '2000000000', field: 'sequence', values: '1' };
      const outcome = await admin.outcome(name, 'call', [0, 'action_reorder', vals]);
      expect([name, outcome]).toEqual([
        name,
        expect.stringMatching(/^(400 INVALID_ARGS|404 NOT_FOUND|403 ACCESS_DENIED)$/),
      ]);
    }
  });

  it('RPC-25 all get their number or none does, and each that of its place in the list', async () => {
    const ids = [await fresh({ count: 1 }), await fresh({ count: 2 })] as const;
    const counts = async () =>
      (await admin.rpc<{ count: number }[]>(order, 'read', [ids, ['count']])).map((one) => one.count);
    const reorder = (active: readonly number[], values: string) =>
      admin.outcome(order, 'call', [0, 'action_reorder', { active_ids: active.join(), field: 'count', values }]);
    expect(await reorder([ids[1], 2_000_000_000], '8,9')).toBe('404 NOT_FOUND');
    expect(await counts()).toEqual([1, 2]);
    expect(await reorder([ids[1], ids[0]], '-5,70')).toBe('OK');
    expect(await counts()).toEqual([70, -5]);
    expect(await reorder(ids, '3,3')).toBe('OK');
    expect(await counts()).toEqual([3, 3]);
  });

  it('RPC-25 refuses what is no number to order by, and people who may not write', async () => {
    const id = await fresh({});
    const tryIt = (vals: object) => admin.outcome(order, 'call', [id, 'action_reorder', vals]);
    expect(await tryIt({ field: 'name', values: '1' })).toBe('400 INVALID_ARGS');
    expect(await tryIt({ field: 'id', values: '1' })).toBe('400 INVALID_ARGS');
    expect(await tryIt({ values: '1' })).toBe('400 INVALID_ARGS');
    expect(await tryIt({ field: 'count', values: '1,2' })).toBe('400 INVALID_ARGS');
    expect(await tryIt({ field: 'count', values: 'x' })).toBe('400 INVALID_ARGS');
    const user = await world.user('Orderly Olaf');
    const vals = { field: 'count', values: '4' };
    expect(await user.browser.outcome(order, 'call', [id, 'action_reorder', vals])).toBe('403 ACCESS_DENIED');
  });
});

describe('onchange', () => {
  it('RPC-27 with an action gives the first values of what it asks, and what may be chosen', async () => {
    const id = await fresh({ partner_id: partner });
    const ask = { action: 'action_sell', active_ids: [id] };
    const domain = { buyer_id: [['active', '=', true]] };
    expect(await admin.rpc(order, 'onchange', [{}, []], ask)).toEqual({ value: { buyer_id: partner }, domain });
    expect(await admin.rpc(order, 'onchange', [{ buyer_id: '' }, []], ask)).toEqual({ value: {}, domain });
    const outcome = (kwargs: object, args: unknown[] = [{}, []]) => admin.outcome(order, 'onchange', args, kwargs);
    expect(await outcome({ ...ask, action: 'action_sel' })).toBe('404 ACTION_NOT_FOUND');
    expect(await outcome({ ...ask, active_ids: '1' })).toBe('400 INVALID_ARGS');
    expect(await outcome({ ...ask, active_ids: [2_000_000_000] })).toBe('404 NOT_FOUND');
    expect(await outcome(ask, [{ name: 'x' }, []])).toBe('400 INVALID_ARGS');
    expect(await outcome(ask, [{ buyer_id: 'x' }, []])).toBe('422 VALIDATION_ERROR');
    expect(await read(id, ['state'])).toMatchObject({ state: 'draft' });
  });

  it('RPC-27 runs with the rights of the caller, on records that they may see', async () => {
    const id = await fresh({ partner_id: partner });
    const { browser } = await world.user('Rita Reader');
    const ask = { action: 'action_sell', active_ids: [id] };
    expect(await browser.outcome(order, 'onchange', [{}, []], ask)).toBe('403 ACCESS_DENIED');
  });

  it('RPC-14 gives values, a warning and domains, and the defaults of a new record', async () => {
    expect(await admin.rpc(order, 'onchange', [{ partner_id: partner }, 'partner_id'])).toEqual({
      value: { note: 'info@berg.example' },
      warning: { title: 'New customer', message: 'Check the address.' },
      domain: { user_id: [['active', '=', true]] },
    });
    const { value } = await admin.rpc<{ value: object }>(order, 'onchange', [{}, []]);
    expect(value).toMatchObject({ state: 'draft', user_id: 1, active: true });
    expect(await admin.rpc('shop.tag', 'onchange', [{ name: 'x' }, 'name'])).toEqual({ value: {} });
    const id = await fresh({ line_ids: [['create', { name: 'a', qty: 1, price: '2.00' }]] });
    const lines = [['create', { name: 'b', qty: 2, price: '1.50' }]];
    const answer = await admin.rpc<{ value: object }>(order, 'onchange', [{ line_ids: lines }, ['line_ids']], { id });
    expect(answer.value).toMatchObject({ amount_total: 5 });
    expect(await read(id, ['amount_total'])).toMatchObject({ amount_total: 2 });
  });

  it.each([[[{}]], [[[], 'name']], [[{ name: 1 }, 7]], [[{ nome: 1 }, 'nome']], [[{}, ['nome']]]])(
    'RPC-14 refuses the arguments %j',
    async (args) => {
      expect(await admin.outcome(order, 'onchange', args)).toMatch(/^(400 INVALID_ARGS|422 VALIDATION_ERROR)$/);
    },
  );
});
