import { sql } from '@kontor/database';
import { createApiKey } from '@kontor/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer, TestUser } from './test-server.ts';

const order = 'shop.order';
const partner = 'core.partner';
let world: TestServer;
let admin: Browser;
let seller: TestUser;
let next = 0;
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
  seller = await world.user('Selma Seller', ['shop.group_restricted']);
  const group = await world.work((env) => env.ref('shop.group_restricted'));
  await admin.rpc('sys.access', 'create', [
    {
      ...{ name: 'Sellers name orders', model: 'sys.external.id', group_id: group },
      ...{ perm_read: true, perm_create: true, perm_unlink: true },
    },
  ]);
});
afterAll(() => world.close());

interface Name {
  readonly id: number;
  readonly external_id: string;
  readonly res_id: number;
}
const fresh = (values: object = {}) => admin.rpc<number>(order, 'create', [{ name: `X${++next}`, ...values }]);
const namesOf = (browser: Browser, domain: unknown[], model = order) =>
  browser.rpc<Name[]>('sys.external.id', 'search_read', [[['model', '=', model], ...domain]]);
const put = (rows: unknown[], kwargs: object, model = partner) =>
  admin.rpc<number[]>(model, 'create_many', [rows], kwargs);
const refusal = async (browser: Browser, model: string, method: string, args: unknown[], kwargs = {}) => {
  const { error } = await browser.call({ model, method, args, kwargs });
  return [error?.code, error?.details] as const;
};

describe('external ids', () => {
  it('XID-1 XID-2 are given, read and looked up with the rights on their records', async () => {
    const [mine, others] = [await fresh({ user_id: seller.id }), await fresh({ user_id: 1 })];
    const name = (id: number, external_id: string) => [{ external_id, model: order, res_id: id }];
    const made = await admin.rpc<number>('sys.external.id', 'create', name(mine, 'erp.mine'));
    await admin.rpc('sys.external.id', 'create', name(others, 'erp.others'));
    expect(await namesOf(admin, [['external_id', 'in', ['erp.mine', 'erp.others', 'erp.none']]])).toEqual([
      expect.objectContaining({ id: made, external_id: 'erp.mine', model: order, res_id: mine }),
      expect.objectContaining({ external_id: 'erp.others', res_id: others }),
    ]);
    expect((await namesOf(admin, [['res_id', '=', mine]])).map((row) => row.external_id)).toEqual(['erp.mine']);
    expect((await namesOf(seller.browser, [])).map((row) => row.external_id)).toEqual(['erp.mine']);
    const create = (browser: Browser, values: unknown[]) => browser.outcome('sys.external.id', 'create', values);
    expect(await create(seller.browser, name(others, 'erp.stolen'))).toBe('403 ACCESS_DENIED');
    expect(await create(seller.browser, name(mine, 'erp.others'))).toBe('422 VALIDATION_ERROR');
    expect(await create(seller.browser, name(mine, 'erp.again'))).toBe('OK');
    expect(await create(admin, name(mine, 'shop.own'))).toBe('422 VALIDATION_ERROR');
    expect(await create(admin, name(mine, 'no dot'))).toBe('422 VALIDATION_ERROR');
    expect(await create(admin, name(999_999, 'erp.lost'))).toBe('404 NOT_FOUND');
    expect(await create(admin, [{ ...name(mine, 'erp.more')[0], noupdate: true }])).toBe('400 INVALID_ARGS');
    const [hidden] = await namesOf(admin, [['external_id', '=', 'erp.others']]);
    const unlink = (browser: Browser, id?: number) => browser.outcome('sys.external.id', 'unlink', [[id]]);
    expect(await unlink(seller.browser, hidden?.id)).toBe('404 NOT_FOUND');
    expect(await unlink(seller.browser, made)).toBe('OK');
    expect(await namesOf(admin, [['external_id', '=', 'erp.mine']])).toEqual([]);
    const [company] = await namesOf(admin, [['external_id', '=', 'base.main_company']], 'core.company');
    expect(await unlink(admin, company?.id)).toBe('422 USER_ERROR');
    const group = await namesOf(admin, [['external_id', '=', 'base.group_user']], 'core.group');
    expect(await unlink(admin, group[0]?.id)).toBe('422 USER_ERROR');
    for (const domain of [[], [['external_id', '=', 'x']], ['|', ['model', '=', order], ['model', '=', partner]]]) {
      expect((await refusal(admin, 'sys.external.id', 'search_read', [domain]))[0]).toBe('INVALID_ARGS');
    }
    expect(await seller.browser.outcome('sys.external.id', 'search_read', [[['model', '=', 'sys.rule']]])).toBe(
      '403 ACCESS_DENIED',
    );
  });

  it('XID-3 create_many names what it makes, all or none', async () => {
    const ids = await put([{ name: 'Ada' }, { name: 'Bo' }, { name: 'Cy' }], {
      external_ids: ['crm2.a', null, 'crm2.c'],
    });
    const named = await namesOf(admin, [['external_id', 'in', ['crm2.a', 'crm2.c']]], partner);
    expect(named.map((row) => row.res_id)).toEqual([ids[0], ids[2]]);
    const attempt = (external_ids: unknown, rows = [{ name: 'Di' }, { name: 'Ed' }]) =>
      refusal(admin, partner, 'create_many', [rows], { external_ids });
    const before = (await admin.rpc<unknown[]>(partner, 'search', [[['name', '=', 'Di']]])).length;
    const [code, details] = await attempt(['crm2.d', 'crm2.a']);
    expect([code, details?.rows]).toEqual(['VALIDATION_ERROR', [expect.objectContaining({ index: 1 })]]);
    expect((await attempt(['crm2.d', 'crm2.d']))[0]).toBe('VALIDATION_ERROR');
    expect((await attempt(['base.d', 'shop.d']))[1]?.rows).toHaveLength(2);
    expect((await attempt(['crm2.d']))[0]).toBe('INVALID_ARGS');
    expect((await attempt('crm2.d'))[0]).toBe('INVALID_ARGS');
    expect(await admin.rpc<unknown[]>(partner, 'search', [[['name', '=', 'Di']]])).toHaveLength(before);
    await admin.rpc(partner, 'unlink', [[ids[0]]]);
    const [again] = await put([{ name: 'Ada again' }], { external_ids: ['crm2.a'] });
    expect((await namesOf(admin, [['external_id', '=', 'crm2.a']], partner))[0]?.res_id).toBe(again);
  });

  it('XID-4 upsert writes what is there and makes the rest, in the order of the rows', async () => {
    const names = { external_ids: ['up.a', 'up.b'], upsert: true };
    const first = await put([{ name: 'A' }, { name: 'B' }], names);
    const second = await put([{ name: 'C' }, { name: 'A2' }, { name: 'B' }], {
      ...{ external_ids: ['up.c', 'up.a', 'up.b'], upsert: true },
    });
    expect([second[1], second[2]]).toEqual(first);
    expect(await admin.rpc(partner, 'read', [second, ['name']])).toMatchObject([
      { name: 'C' },
      { name: 'A2' },
      { name: 'B' },
    ]);
    const id = await fresh({ name: 'by-name' });
    const byField = await put([{ name: 'by-name', note: 'w' }, { name: 'by-name-2' }], { upsert: 'name' }, order);
    expect(byField[0]).toBe(id);
    expect(await admin.rpc(order, 'read', [[id], ['note']])).toEqual([{ id, note: 'w' }]);
    for (const upsert of [true, 'note', 'no_such', 7]) {
      expect([upsert, (await refusal(admin, order, 'create_many', [[{ name: 'z' }]], { upsert }))[0]]).toEqual([
        upsert,
        'INVALID_ARGS',
      ]);
    }
    await fresh({ name: 'hidden', user_id: 1 }).then((res_id) =>
      admin.rpc('sys.external.id', 'create', [{ external_id: 'up.hidden', model: order, res_id }]),
    );
    const steal = { external_ids: ['up.hidden'], upsert: true };
    expect((await refusal(seller.browser, order, 'create_many', [[{ name: 'mine now' }]], steal))[0]).toBe(
      'ACCESS_DENIED',
    );
    const other = { external_ids: ['up.hidden'], upsert: true };
    expect((await refusal(admin, partner, 'create_many', [[{ name: 'x' }]], other))[0]).toBe('VALIDATION_ERROR');
  });

  it('XID-4 two at the same time make one record', async () => {
    const both = Array.from({ length: 4 }, (_, at) =>
      put([{ name: `at once ${at}` }], { external_ids: ['race.one'], upsert: true }),
    );
    const ids = (await Promise.all(both)).flat();
    expect(new Set(ids).size).toBe(1);
    const [row] = await world.kernel.database.query<{ n: number }>(
      sql`select count(*)::int4 as n from core_partner where name like 'at once %'`,
    );
    expect(row?.n).toBe(1);
  });

  it('XID-4 a key that may only create does not write by it', async () => {
    const scope = { [partner]: ['create_many'] };
    const { secret } = await world.work((env) =>
      createApiKey(env, { userId: 1, name: 'creates', expiresAt: null, scope }),
    );
    const key = Browser.withKey(world.url, secret);
    const call = (name: string) =>
      key.outcome(partner, 'create_many', [[{ name }]], { external_ids: ['keyed.one'], upsert: true });
    expect(await call('new')).toBe('OK');
    expect(await call('changed')).toBe('403 ACCESS_DENIED');
  });

  it('XID-5 write_many with each gives every record its own values and base', async () => {
    const [a, b] = [await fresh({ note: 'a0', count: 1 }), await fresh({ note: 'b0', count: 1 })];
    const read = () =>
      admin.rpc(order, 'read', [
        [a, b],
        ['note', 'count'],
      ]);
    const each = (base: string) => [
      { values: { note: 'a1' }, base: { note: 'a0' } },
      { values: { note: 'b1', count: 3 }, base: { note: base } },
    ];
    expect(await admin.rpc(order, 'write_many', [[a, b], { count: 2 }], { each: each('b0') })).toBe(true);
    expect(await read()).toEqual([
      { id: a, note: 'a1', count: 2 },
      { id: b, note: 'b1', count: 3 },
    ]);
    const [code, details] = await refusal(admin, order, 'write_many', [[b, a], {}], {
      each: [
        { values: { note: 'b2' }, base: { note: 'b1' } },
        { values: { note: 'a2' }, base: { note: 'a0' } },
      ],
    });
    expect([code, details?.id, Object.keys(details?.fields as object)]).toEqual(['CONFLICT', a, ['note']]);
    expect(await read()).toMatchObject([{ note: 'a1' }, { note: 'b1' }]);
    for (const wrong of [[], [{}, {}, {}], 'x', [{ values: 1 }, {}], [{ value: {} }, {}], [{ base: 1 }, {}]]) {
      const outcome = await refusal(admin, order, 'write_many', [[a, b], {}], { each: wrong });
      expect([wrong, outcome[0]]).toEqual([wrong, 'INVALID_ARGS']);
    }
  });
});
