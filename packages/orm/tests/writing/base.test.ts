import type { Env } from '@kontor/orm';
import type { Values } from '@kontor/protocol';
import type { TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, openShop, refusal } from './shop.ts';

let shop: TestWorld;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.drop());

const seen = { name: 'S1', note: 'a', rate: '1.5', opened_at: '2026-01-01T00:00:00Z' };
const write = (env: Env, id: number, values: Values, base: Values) =>
  env.model('shop.order').write([id], values, { base });

/** An order as the caller saw it, changed by someone else meanwhile. */
async function meanwhile(theirs: Values, tags: readonly number[] = []): Promise<number> {
  return shop.transact(async (env) => {
    const id = await makeOrder(env, { ...seen, tag_ids: [['set', tags]] });
    await env.model('shop.order').write([id], theirs);
    return id;
  });
}

async function read(id: number, ...fields: string[]): Promise<Record<string, unknown>> {
  return (await shop.env.model('shop.order').read([id], fields))[0] as Record<string, unknown>;
}

describe('write with base', () => {
  it('RPC-18 base merges what others changed and the caller did not', async () => {
    const id = await meanwhile({ note: 'theirs' });
    await shop.transact((env) => write(env, id, { name: 'mine', note: 'a' }, seen));
    expect(await read(id, 'name', 'note')).toMatchObject({ name: 'mine', note: 'theirs' });
  });

  it('RPC-18 base tells a conflict with all three values and writes nothing', async () => {
    const id = await meanwhile({ note: 'theirs', rate: '2' });
    const refused = await refusal(shop.transact((env) => write(env, id, { name: 'X', note: 'mine', rate: 3 }, seen)));
    expect(refused.code).toBe('CONFLICT');
    const { fields } = refused.details as { fields: Record<string, Record<string, unknown>> };
    expect(fields.note).toEqual({ base: 'a', mine: 'mine', theirs: 'theirs' });
    expect([fields.rate?.base, fields.rate?.mine, fields.rate?.theirs].map(String)).toEqual(['1.5', '3', '2']);
    expect(Object.keys(fields)).toEqual(['note', 'rate']);
    expect(await read(id, 'name')).toMatchObject({ name: 'S1' });
  });

  it('RPC-18 base: both to the same value is fine, and writes nothing', async () => {
    const id = await meanwhile({ note: 'same', rate: '2' });
    await shop.transact(async (env) => {
      await write(env, id, { note: 'same', rate: '2.00' }, seen);
      expect(env.work.changes).toEqual([]);
    });
  });

  it('RPC-18 base compares decimals as numbers and datetimes as instants', async () => {
    const id = await meanwhile({ note: 'theirs' });
    const base = { ...seen, rate: 1.5, opened_at: '2026-01-01T02:00:00+02:00' };
    await shop.transact((env) =>
      write(env, id, { rate: '1.50', opened_at: '2026-01-01T00:00:00.000Z', name: 'N' }, base),
    );
    await shop.transact((env) => write(env, id, { rate: '9', opened_at: '2027-01-01T00:00:00Z' }, base));
    expect(String((await read(id, 'rate')).rate)).toBe('9');
  });

  it('RPC-18 base: a field without base is written as it is', async () => {
    const id = await meanwhile({ note: 'theirs' });
    await shop.transact((env) => write(env, id, { note: 'mine' }, { name: 'S1' }));
    expect(await read(id, 'note')).toMatchObject({ note: 'mine' });
  });

  it('RPC-18 base takes one id, known fields, readable fields and values of their types', async () => {
    const id = await meanwhile({});
    const orders = shop.env.model('shop.order');
    expect(await refusal(orders.write([id, id + 1], { note: 'x' }, { base: {} }))).toMatchObject({
      code: 'INVALID_ARGS',
    });
    for (const base of [{ nope: 1 }, { pin: 'x' }, { rate: 'abc' }, { tag_ids: 'x' }]) {
      expect(await refusal(orders.write([id], { note: 'x' }, { base }))).toMatchObject({ code: 'INVALID_ARGS' });
    }
  });
});

describe('lists with base', () => {
  const makeTags = () =>
    shop.transact((env) => env.model('shop.label').createMany([{ name: 'a' }, { name: 'b' }, { name: 'c' }]));

  it('RPC-18 base: replacing a list that others replaced is a conflict', async () => {
    const [a, b, c] = (await makeTags()) as [number, number, number];
    const id = await meanwhile({ tag_ids: [['set', [b]]] }, [a]);
    const work = shop.transact((env) =>
      write(env, id, { tag_ids: [['set', [c]]], name: 'X' }, { tag_ids: [a], name: 'S1' }),
    );
    expect(await refusal(work)).toMatchObject({
      code: 'CONFLICT',
      details: { fields: { tag_ids: { base: [a], mine: [c], theirs: [b] } } },
    });
    expect(await read(id, 'name', 'tag_ids')).toMatchObject({ name: 'S1', tag_ids: [b] });
  });

  it('RPC-18 base: a list left as it was seen keeps what others made of it', async () => {
    const [a, b] = (await makeTags()) as [number, number];
    const id = await meanwhile({ tag_ids: [['set', [b]]] }, [a]);
    await shop.transact((env) => write(env, id, { tag_ids: [['set', [a]]] }, { tag_ids: [a] }));
    expect(await read(id, 'tag_ids')).toMatchObject({ tag_ids: [b] });
  });

  it('RPC-18 base: adding and removing merge with what others added and removed', async () => {
    const [a, b, c] = (await makeTags()) as [number, number, number];
    const id = await meanwhile({ tag_ids: [['link', b]] }, [a]);
    await shop.transact((env) =>
      write(
        env,
        id,
        {
          tag_ids: [
            ['link', c],
            ['unlink', a],
          ],
        },
        { tag_ids: [a] },
      ),
    );
    expect(await read(id, 'tag_ids')).toMatchObject({ tag_ids: [b, c] });
  });

  it('RPC-18 base: a line that someone deleted cannot be updated, but may be deleted again', async () => {
    const id = await shop.transact((env) => makeOrder(env, { line_ids: [['create', { product: 'A' }]] }));
    const { line_ids } = (await read(id, 'line_ids')) as { line_ids: number[] };
    await shop.transact((env) => env.model('shop.line').unlink(line_ids));
    const base = { line_ids };
    const work = shop.transact((env) => write(env, id, { line_ids: [['update', line_ids[0], { qty: 2 }]] }, base));
    expect(await refusal(work)).toMatchObject({
      code: 'CONFLICT',
      details: { fields: { line_ids: { base: line_ids, theirs: [] } } },
    });
    await shop.transact((env) => write(env, id, { line_ids: [['delete', line_ids[0]]] }, base));
  });

  it('RPC-18 base: a line has a base of its own', async () => {
    const id = await shop.transact((env) =>
      makeOrder(env, { line_ids: [['create', { product: 'A', qty: 1, price: 1 }]] }),
    );
    const { line_ids } = (await read(id, 'line_ids')) as { line_ids: number[] };
    await shop.transact((env) => env.model('shop.line').write(line_ids, { qty: 5 }));
    const update = (values: Values) => [['update', line_ids[0], values, { qty: 1, price: 1, product: 'A' }]];
    await shop.transact((env) => env.model('shop.order').write([id], { line_ids: update({ price: 3, qty: 1 }) }));
    const work = shop.transact((env) =>
      env.model('shop.order').write([id], { name: 'X', line_ids: update({ qty: 2 }) }),
    );
    expect(await refusal(work)).toMatchObject({ code: 'CONFLICT', details: { model: 'shop.line', id: line_ids[0] } });
    expect(await read(id, 'name')).toMatchObject({ name: 'S1' });
    expect(String((await read(id, 'amount')).amount)).toBe('15');
  });
});
