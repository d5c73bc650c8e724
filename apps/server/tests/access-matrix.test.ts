import { createApiKey } from '@kontor/parts';
import { isLong } from '@kontor/testing';
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
    const { browser } = restricted;
    const refused = async (answer: Promise<Response>) => (await Browser.errorOf(await answer)).details;
    const get = (path: string) => refused(browser.get(path, { accept: 'application/json' }));
    const post = (path: string, fields: Record<string, string>) =>
      refused(browser.form(path, fields, { accept: 'application/json' }));
    const layer = 'model';
    expect(await get('/web/apps')).toEqual({ model: 'sys.module', operation: 'read', layer });
    expect(await get('/web/settings/app-logs')).toEqual({ model: 'sys.log', operation: 'read', layer });
    expect(await post('/web/module/action', { do: 'install', module: 'crm' })).toEqual({
      ...{ model: 'sys.module', operation: 'write', layer },
    });
    expect(await post('/web/action/reset_password', { id: '1' })).toEqual({
      model: 'core.user',
      operation: 'write',
      layer,
    });
    expect(await post('/web/action/create_api_key', { name: 'x' })).toEqual({
      ...{ model: 'core.user.apikey', operation: 'create', layer },
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

describe('the scope of a key covers every model that a call names', () => {
  const everything = Object.keys(methods);
  const withScope = async (scope: Record<string, readonly string[]>) => {
    const key = await world.work((env) => createApiKey(env, { userId: 1, name: 'reach', expiresAt: null, scope }));
    return Browser.withKey(world.url, key.secret);
  };
  const groups = (groupby: string[], fields: object[] = []) => [{ domain: [], groupby, fields }];
  const count = (field: string) => [{ name: 'n', field, measure: 'count_distinct' }];
  type Reach = readonly [model: string, method: string, args: (ids: Ids) => unknown[], kwargs?: object];
  interface Ids {
    readonly order: number;
    readonly line: number;
  }

  /** Each way from an order to another model, and the model that it comes to. */
  const reaches: Record<string, Reach> = {
    'a dotted path': ['core.partner', 'search_read', () => [[], ['partner_id.email']]],
    'a name': ['core.partner', 'search_read', () => [[], ['partner_id.display_name']]],
    'a path of read': ['core.partner', 'read', ({ order: id }) => [[id], ['partner_id.name']]],
    'two steps': ['core.country', 'search_read', () => [[], ['partner_id.country_id.code']]],
    'a nested projection': ['shop.order.line', 'search_read', () => [[], [{ line_ids: ['name'] }]]],
    'the ids of lines': ['shop.order.line', 'read', ({ order: id }) => [[id], ['line_ids']]],
    'a domain': ['core.partner', 'search', () => [[['partner_id.email', 'like', 'a']]]],
    'a name in a domain': ['core.partner', 'search', () => [[['partner_id', 'ilike', 'a']]]],
    'a tree in a domain': ['core.partner', 'search', () => [[['partner_id', 'child_of', [1]]]]],
    'lines in a domain': ['shop.order.line', 'search', () => [[['line_ids.qty', '>', 1]]]],
    'having lines': ['shop.order.line', 'search', () => [[['line_ids', '=', false]]]],
    'an order by a path': ['core.partner', 'search_read', () => [[], ['name']], { order: 'partner_id.email' }],
    'an order by a name': ['core.partner', 'search', () => [[]], { order: 'partner_id' }],
    'groups by a path': ['core.partner', 'read_group', () => groups(['partner_id.email'])],
    'groups by tags': ['shop.tag', 'read_group', () => groups(['tag_ids'])],
    'a measure': ['core.partner', 'read_group', () => groups([], count('partner_id.email'))],
    'a domain of groups': ['shop.tag', 'read_group', () => [{ ...spec, domain: [['tag_ids.name', '=', 'x']] }]],
    'making lines': [
      'shop.order.line',
      'create',
      () => [{ name: `O${++next}`, line_ids: [['create', { name: 'x' }]] }],
    ],
    'changing lines': ['shop.order.line', 'write', (ids) => edit(ids, ['update', ids.line, { qty: 2 }])],
    'deleting lines': ['shop.order.line', 'write', (ids) => edit(ids, ['delete', ids.line])],
    'replacing tags': ['shop.tag', 'write', ({ order: id }) => [[id], { tag_ids: [['set', []]] }]],
  };
  const edit = ({ order: id }: Ids, command: unknown[]) => [[id], { line_ids: [command] }];
  const ids = async (): Promise<Ids> => {
    const id = await fresh({ line_ids: [['create', { name: 'pen' }]] });
    const [row] = await admin.rpc<{ line_ids: number[] }[]>(order, 'read', [[id], ['line_ids']]);
    return { order: id, line: row?.line_ids[0] as number };
  };

  it('KEY-1 each way to another model asks the key for that model, and says which one it does not cover', async () => {
    const narrow = await withScope({ [order]: everything });
    const wide = await withScope({ '*': everything });
    const methodsOf = { 'core.country': everything, [order]: everything } as Record<string, readonly string[]>;
    const tried = Object.entries(reaches).filter((_, at) => isLong || at % 3 === 0);
    for (const [name, [target, method, args, kwargs = {}]] of tried) {
      const call = { model: order, method, kwargs };
      const refused = await narrow.call({ ...call, args: args(await ids()) });
      const model = target === 'core.country' ? 'core.partner' : target;
      expect([name, refused.status, refused.error?.details]).toEqual([
        name,
        403,
        expect.objectContaining({ model, operation: expect.any(String), layer: 'model' }),
      ]);
      const covered = await withScope({ ...methodsOf, 'core.partner': everything, [target]: everything });
      for (const caller of [wide, covered]) {
        expect([name, (await caller.call({ ...call, args: args(await ids()) })).error]).toEqual([name, null]);
      }
    }
  });

  it('KEY-2 reading is covered by any method that reads, a change of lines by one that makes that change', async () => {
    const lines = { [order]: everything, 'shop.order.line': ['search'] };
    const reader = await withScope(lines);
    const at = await ids();
    expect(await reader.outcome(order, 'read', [[at.order], [{ line_ids: ['name'] }]])).toBe(ok);
    expect(await reader.outcome(order, 'write', edit(at, ['update', at.line, { qty: 3 }]))).toBe(denied);
    const writer = await withScope({ [order]: ['write'], 'shop.order.line': ['write_many'] });
    expect(await writer.outcome(order, 'write', edit(at, ['update', at.line, { qty: 3 }]))).toBe(ok);
    expect(await writer.outcome(order, 'write', edit(at, ['delete', at.line]))).toBe(denied);
    const actor = await withScope({ [order]: ['write'], 'shop.order.line': ['call', 'onchange'] });
    expect(await actor.outcome(order, 'write', edit(at, ['update', at.line, { qty: 3 }]))).toBe(denied);
  });

  it('KEY-3 what a call does not name: ids of many2ones stay, labels and what forms follow are empty, actions act as the owner', async () => {
    const partner = await admin.rpc<number>('core.partner', 'create', [{ name: 'Quill', email: 'quill@example.com' }]);
    const caller = await withScope({ [order]: everything });
    const id = await caller.rpc<number>(order, 'create', [{ name: `O${++next}`, partner_id: partner }]);
    expect(await caller.rpc(order, 'read', [[id], ['partner_id']])).toEqual([{ id, partner_id: partner }]);
    const asked = { domain: [['id', '=', id]], groupby: ['partner_id'], fields: [] };
    expect(await caller.rpc(order, 'read_group', [asked])).toMatchObject([
      { partner_id: partner, 'partner_id.display_name': null },
    ]);
    expect(await caller.outcome(order, 'search', [[['partner_id', '=', partner]]])).toBe(ok);
    const proposed = await caller.rpc<{ value: object }>(order, 'onchange', [{ partner_id: partner }, 'partner_id']);
    expect(JSON.stringify(proposed)).not.toContain('quill@example.com');
    expect(await caller.outcome(order, 'call', [id, 'action_open'])).toBe(ok);
    const dry = await caller.rpc<{ changes: object[] }>(order, 'write', [[id], { note: 'x' }], { dry_run: true });
    expect(dry.changes).toHaveLength(1);
  });

  it('KEY-3 what one key may see is not kept for another', async () => {
    const wide = await withScope({ '*': everything });
    const narrow = await withScope({ [order]: everything });
    const question = [[], ['partner_id.name']];
    for (const [caller, outcome] of [
      [wide, ok],
      [narrow, denied],
      [wide, ok],
      [admin, ok],
      [narrow, denied],
    ] as const) {
      expect(await caller.outcome(order, 'search_read', question)).toBe(outcome);
    }
  });
});
