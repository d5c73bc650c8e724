import type { Env } from '@kontor/orm';
import type { TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleOn } from '../writing/shop.ts';
import { makeCustomer, openDeals } from './editable-world.ts';
import { look, plain } from './trade.ts';

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

describe('CMP-10 eyes', () => {
  const hides = ruleOn('deal.customer', [['is_hidden', '=', false]]);

  it("reads with the caller's rights: what is hidden is empty", async () => {
    const hidden = await deals.transact((env) => makeCustomer(env, { name: 'Hidden', is_hidden: true }));
    const under = await deals.transact((env) => makeCustomer(env, { name: 'Under', parent_id: hidden }));
    const id = await deals.transact((env) => env.model('deal.order').create({ customer_id: hidden }));
    expect(await order(id, 'days')).toEqual({ days: 14 });
    const made = await deals.database.transaction((tx) =>
      deals
        .as(user, tx, hides)
        .model('deal.order')
        .createMany([{ customer_id: under }, { customer_id: other }]),
    );
    expect(await order(made[0] as number, 'days', 'parent_id')).toEqual({ days: 14, parent_id: null });
    const copy = await deals.database.transaction(async (tx) => {
      const orders = deals.as(user, tx, hides).model('deal.order');
      await orders.write([made[1] as number], { customer_id: under });
      return made[1] as number;
    });
    expect(await order(copy, 'parent_id')).toEqual({ parent_id: null });
    const asAdmin = await create({ customer_id: under });
    expect(await order(asAdmin, 'parent_id')).toEqual({ parent_id: hidden });
  });

  it('fields that the caller may not read are empty, but a value that they may not read is made with them', async () => {
    const rich = await deals.transact((env) => makeCustomer(env, { bonus: 500 }));
    const id = await create({ customer_id: rich });
    expect(await order(id, 'bonus', 'seen_bonus')).toEqual({ bonus: 500, seen_bonus: null });
    const boss = { uid: 3, groups: new Set(['deal.boss']) };
    expect(await order(await create({ customer_id: rich }, boss), 'bonus', 'seen_bonus')).toEqual({
      bonus: 500,
      seen_bonus: 500,
    });
    const { value } = await deals.as(user).model('deal.order').onchange({ customer_id: rich }, ['customer_id']);
    expect(value).toMatchObject({ seen_bonus: null });
    expect(value).not.toHaveProperty('bonus');
  });

  it('what says why it reads as the server sees everything', async () => {
    const rich = await deals.transact((env) => makeCustomer(env, { bonus: 500 }));
    expect(await order(await create({ customer_id: rich }), 'told_bonus')).toEqual({ told_bonus: 500 });
    expect(await onchange({ customer_id: rich }, ['customer_id'])).toMatchObject({ told_bonus: 500, seen_bonus: null });
  });

  it('knows whether the record is being made', async () => {
    const id = await create({ customer_id: customer });
    await run((env) => env.model('deal.order').write([id], { customer_id: other }), { uid: 9 });
    expect(await order(id, 'begun_by')).toEqual({ begun_by: 2 });
    expect(await onchange({ customer_id: customer }, ['customer_id'], id)).not.toHaveProperty('begun_by');
  });
});
