import { createApiKey } from '@kontor/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer, TestUser } from './test-server.ts';

let world: TestServer;
let admin: Browser;
let restricted: TestUser;
let callers: Record<string, Browser>;
let next = 0;
const order = 'shop.order';

beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
  restricted = await world.user('Restricted Rita', ['shop.group_restricted']);
  const scope = { [order]: ['search_read', 'read', 'create'], '*': ['search'] };
  const key = await world.work((env) => createApiKey(env, { userId: 1, name: 'scoped', expiresAt: null, scope }));
  callers = {
    admin,
    clerk: (await world.user('Clerk Cleo', ['shop.group_clerk'])).browser,
    user: (await world.user('User Una', ['base.group_user'])).browser,
    restricted: restricted.browser,
    portal: (await world.user('Portal Pia', ['base.group_portal'])).browser,
    scoped: Browser.withKey(world.url, key.secret),
    nobody: world.browser(),
  };
});
afterAll(() => world.close());

const fresh = (values: object = {}) => admin.rpc<number>(order, 'create', [{ name: `O${++next}`, ...values }]);
const spec = { domain: [], groupby: ['state'], fields: [] };

/** Each method on a record of somebody else's (the administrator's). */
const methods: Record<string, () => Promise<unknown[]>> = {
  search: async () => [[]],
  search_read: async () => [[], ['name']],
  read: async () => [[await fresh()], ['name']],
  read_group: async () => [spec],
  call: async () => [await fresh(), 'action_open'],
  create: async () => [{ name: `O${++next}` }],
  write: async () => [[await fresh()], { note: 'x' }],
  unlink: async () => [[await fresh()]],
  create_many: async () => [[{ name: `O${++next}` }]],
  write_many: async () => [[await fresh()], { note: 'x' }],
  unlink_many: async () => [[await fresh()]],
  onchange: async () => [{}, []],
};
const ok = 'OK';
const denied = '403 ACCESS_DENIED';
const all = (outcome: string) => Object.fromEntries(Object.keys(methods).map((name) => [name, outcome]));
const reading = { search: ok, search_read: ok, read: ok, read_group: ok };

/** What becomes of each method, by caller. */
const expected: Record<string, Record<string, string>> = {
  admin: all(ok),
  clerk: all(ok),
  user: { ...all(denied), ...reading, onchange: ok },
  restricted: {
    ...all(denied),
    search: ok,
    search_read: ok,
    read_group: ok,
    create: ok,
    create_many: ok,
    onchange: ok,
  },
  portal: all(denied),
  scoped: { ...all(denied), search: ok, search_read: ok, read: ok, create: ok },
  nobody: all('401 UNAUTHORIZED'),
};

describe('access over RPC', () => {
  it.each(Object.keys(expected))('RPC-17 ACC-1 ACC-2 %s: every method', async (name) => {
    const outcomes: Record<string, string> = {};
    for (const [method, args] of Object.entries(methods)) {
      outcomes[method] = await (callers[name] as Browser).outcome(order, method, await args());
    }
    expect(outcomes).toEqual(expected[name]);
  });

  it('ACC-2 the rule holds in every method: own records only, also for what is written', async () => {
    const own = await fresh({ user_id: restricted.id });
    const { browser } = restricted;
    expect(await browser.rpc(order, 'read', [[own], ['user_id']])).toEqual([{ id: own, user_id: restricted.id }]);
    const seen = await browser.rpc<{ user_id: number }[]>(order, 'search_read', [[], ['user_id']]);
    expect(new Set(seen.map(({ user_id }) => user_id))).toEqual(new Set([restricted.id]));
    expect(await browser.outcome(order, 'write', [[own], { note: 'mine' }])).toBe(ok);
    expect(await browser.outcome(order, 'write', [[own], { user_id: null }])).toBe(denied);
    expect(await browser.outcome(order, 'create', [{ name: 'for nobody', user_id: null }])).toBe(denied);
    expect(await browser.outcome(order, 'create', [{ name: 'for ada', user_id: 1 }])).toBe('422 VALIDATION_ERROR');
    expect(await browser.outcome(order, 'call', [own, 'action_open'])).toBe(ok);
    expect(await browser.outcome(order, 'write_many', [[own, await fresh()], { note: 'x' }])).toBe(denied);
  });

  it('ACC-3 a field of a group is left out by default, and refused when asked for, searched, ordered by or written', async () => {
    const id = await fresh({ margin: '5.00' });
    const { user, clerk } = callers as { user: Browser; clerk: Browser };
    expect(Object.keys((await user.rpc<object[]>(order, 'read', [[id]]))[0] ?? {})).not.toContain('margin');
    expect(Object.keys((await admin.rpc<object[]>(order, 'read', [[id]]))[0] ?? {})).toContain('margin');
    for (const [method, args, kwargs] of [
      ['read', [[id], ['margin']], {}],
      ['search', [[['margin', '>', 1]]], {}],
      ['search_read', [[], ['name']], { order: 'margin' }],
    ] as const) {
      expect(await user.outcome(order, method, [...args], kwargs)).toBe(denied);
    }
    expect(await clerk.outcome(order, 'write', [[id], { margin: '9.00' }])).toBe(denied);
    expect(await clerk.outcome(order, 'create', [{ name: 'x', margin: '9.00' }])).toBe(denied);
  });

  it('ACC-4 hashes are readable by nobody, in no position', async () => {
    for (const [model, field] of [
      ['core.user', 'password'],
      ['core.user.apikey', 'key_hash'],
      ['sys.session', 'token_hash'],
    ] as const) {
      const [row] = await admin.rpc<{ id: number }[]>(model, 'search', [[]], { limit: 1 });
      expect(Object.keys(row ?? {})).not.toContain(field);
      expect(await admin.outcome(model, 'read', [[row?.id], [field]])).toBe(denied);
      expect(await admin.outcome(model, 'search', [[[field, 'like', 'a']]])).toBe(denied);
      expect(await admin.outcome(model, 'search_read', [[], ['id']], { order: field })).toBe(denied);
      expect(await admin.outcome(model, 'read_group', [{ domain: [], groupby: [field], fields: [] }])).toBe(denied);
    }
    expect(await admin.outcome('core.user', 'search_read', [[], ['create_uid.password']])).toBe(denied);
  });

  it('ACC-5 rows of another company are hidden until that company is active', async () => {
    const currency = (await admin.rpc<{ id: number }[]>('core.currency', 'search_read', [[], []], { limit: 1 }))[0]?.id;
    const other = await admin.rpc<number>('core.company', 'create', [{ name: 'Südlicht', currency_id: currency }]);
    const theirs = await world.work((env) => env.sudo().model(order).create({ name: 'elsewhere', company_id: other }));
    expect(await admin.outcome(order, 'read', [[theirs]])).toBe(denied);
    const ids = (await admin.rpc<{ id: number }[]>(order, 'search_read', [[], []])).map(({ id }) => id);
    expect(ids).not.toContain(theirs);
    await admin.rpc('core.user', 'write', [[1], { company_ids: [['link', other]] }]);
    expect((await admin.form('/web/company/switch', { company_id: String(other) })).status).toBe(303);
    expect(await admin.outcome(order, 'read', [[theirs]])).toBe(ok);
    await admin.form('/web/company/switch', { company_id: String(world.admin.companyId) });
  });

  it('ACC-6 ACC-10 says model, operation and layer; hidden is 403, absent is 404', async () => {
    const hidden = await fresh();
    const byRule = await restricted.browser.call({ model: order, method: 'read', args: [[hidden]] });
    expect([byRule.status, byRule.error?.details]).toEqual([
      403,
      expect.objectContaining({ model: order, operation: 'read', layer: 'rule' }),
    ]);
    expect(await restricted.browser.outcome(order, 'read', [[2_000_000_000]])).toBe('404 NOT_FOUND');
    const byModel = await callers.user?.call({ model: order, method: 'unlink', args: [[hidden]] });
    expect(byModel?.error?.details).toMatchObject({ model: order, operation: 'unlink', layer: 'model' });
    const byKey = await callers.scoped?.call({ model: order, method: 'unlink', args: [[hidden]] });
    expect(byKey?.error?.details).toMatchObject({
      model: order,
      operation: 'unlink',
      layer: 'model',
      method: 'unlink',
    });
  });

  it('ACC-7 the first user has no special place', async () => {
    await world.work(async (env) => {
      const rows = await env
        .sudo()
        .model('sys.access')
        .search([
          ['model', '=', 'shop.tag'],
          ['group_id.key', '=', 'base.group_system'],
        ]);
      await env.sudo().model('sys.access').unlink(rows);
    });
    expect(await admin.outcome('shop.tag', 'create', [{ name: 'no' }])).toBe(denied);
    expect(await admin.outcome('shop.tag', 'search', [])).toBe(ok);
  });
});
