import type { KeyScope } from '@kontor/kernel';
import { createApiKey } from '@kontor/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

const order = 'shop.order';
const line = 'shop.order.line';
const all = [
  'search',
  'search_read',
  'read',
  'read_group',
  'create',
  'write',
  'unlink',
  'call',
  'onchange',
  'create_many',
];
let world: TestServer;
let admin: Browser;
let inside: number;
let outside: number;
let next = 0;
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
  inside = await fresh({ count: 1, note: 'seen', line_ids: [['create', { name: 'a', price: '1' }]] });
  outside = await fresh({ count: 9, note: 'hidden', line_ids: [['create', { name: 'b', price: '2' }]] });
});
afterAll(() => world.close());

const fresh = (values: object = {}) => admin.rpc<number>(order, 'create', [{ name: `K${++next}`, ...values }]);
const keyFor = async (scope: KeyScope) => {
  const made = await world.work((env) => createApiKey(env, { userId: 1, name: 'k', expiresAt: null, scope }));
  return Browser.withKey(world.url, made.secret);
};

interface Dry {
  readonly changes: readonly { readonly model: string; readonly values: object }[];
}

describe('a key with a domain', () => {
  const scope: KeyScope = {
    [order]: { methods: all, domain: [['count', '<', 5]] },
    [line]: all,
    'sys.feed': ['search_read'],
    'shop.tag': all,
  };

  it('KEY-4 finds, reads and groups only what it matches, also on the way from elsewhere', async () => {
    const key = await keyFor(scope);
    expect(await key.rpc(order, 'search_read', [[], ['note']])).toEqual([{ id: inside, note: 'seen' }]);
    expect(await key.outcome(order, 'read', [[outside], ['note']])).toBe('403 ACCESS_DENIED');
    const groups = await key.rpc<{ __count: number }[]>(order, 'read_group', [{ domain: [], groupby: [], fields: [] }]);
    expect(groups).toMatchObject([{ __count: 1 }]);
    const lines = await key.rpc<{ 'order_id.note': string }[]>(line, 'search_read', [[], ['order_id.note']]);
    expect(lines.map((row) => row['order_id.note'])).toEqual(['seen']);
    expect(await key.rpc(line, 'search_read', [[['order_id.note', '=', 'hidden']], []])).toEqual([]);
    expect(await admin.rpc(order, 'search_read', [[['note', '=', 'hidden']], ['note']])).toHaveLength(1);
  });

  it('KEY-4 changes only what it matches, makes nothing outside and moves nothing out', async () => {
    const key = await keyFor(scope);
    for (const [method, args] of [
      ['write', [[outside], { note: 'x' }]],
      ['write', [[inside], { count: 7 }]],
      ['unlink', [[outside]]],
      ['call', [outside, 'action_sell', {}]],
      ['create', [{ name: 'too many', count: 6 }]],
      ['create', [{ name: 'no count' }]],
    ] as const) {
      expect([args, await key.outcome(order, method, [...args])]).toEqual([args, '403 ACCESS_DENIED']);
    }
    const links = [
      ['link', (await admin.rpc<{ line_ids: number[] }[]>(order, 'read', [[outside], ['line_ids']]))[0]?.line_ids[0]],
    ];
    expect(await key.outcome(order, 'write', [[inside], { line_ids: links }])).toBe('422 VALIDATION_ERROR');
    expect(await key.outcome(order, 'write', [[inside], { note: 'seen' }])).toBe('OK');
    expect(await key.outcome(order, 'create', [{ name: 'few', count: 2 }])).toBe('OK');
  });

  it('KEY-4 the feed tells what leaves the domain as gone, and nothing of what is outside', async () => {
    const key = await keyFor(scope);
    const ask = (cursor: string) =>
      key.rpc<{ cursor: string; operation: string; res_id: number }[]>('sys.feed', 'search_read', [
        [
          ['cursor', '>', cursor],
          ['model', '=', order],
        ],
      ]);
    const [{ cursor } = { cursor: '' }] = await ask('now');
    await admin.rpc(order, 'write', [[outside], { note: 'still hidden' }]);
    const leaves = await fresh({ count: 1 });
    await admin.rpc(order, 'write', [[leaves], { count: 8 }]);
    const comes = await fresh({ count: 8 });
    await admin.rpc(order, 'write', [[comes], { count: 1 }]);
    expect((await ask(cursor)).map(({ operation, res_id }) => `${operation} ${res_id}`)).toEqual([
      `unlink ${leaves}`,
      `create ${comes}`,
      `write ${comes}`,
    ]);
    expect(await key.outcome('sys.feed', 'search_read', [[['model', '=', 'core.partner']]])).toBe('403 ACCESS_DENIED');
  });
});

describe('a key with fields', () => {
  const scope: KeyScope = {
    [order]: { methods: all, fields: ['name', 'note', 'line_ids', 'count'] },
    [line]: { methods: ['search_read', 'create'], fields: ['name', 'order_id'] },
    'sys.feed': ['search_read'],
  };

  it('KEY-5 reads, searches, sorts, groups and writes no other', async () => {
    const key = await keyFor(scope);
    const [row] = await key.rpc<object[]>(order, 'search', [[['id', '=', inside]]]);
    expect(Object.keys(row ?? {}).sort()).toEqual(['count', 'display_name', 'id', 'name', 'note']);
    const closed: [string, unknown[], object?][] = [
      ['search_read', [[], ['state']]],
      ['search_read', [[], ['user_id.name']]],
      ['search_read', [[], [{ line_ids: ['price'] }]]],
      ['search_read', [[['state', '=', 'draft']], ['name']]],
      ['search_read', [[['line_ids.price', '>', 0]], ['name']]],
      ['search_read', [[], ['name']], { order: 'state' }],
      ['read', [[inside], ['amount_total']]],
      ['read_group', [{ domain: [], groupby: ['state'], fields: [] }]],
      ['read_group', [{ domain: [], groupby: [], fields: [{ name: 'm', field: 'amount_total', measure: 'sum' }] }]],
      ['write', [[inside], { state: 'sold' }]],
      ['create', [{ name: 'x', is_urgent: true }]],
      ['write', [[inside], { line_ids: [['create', { name: 'x', price: '5' }]] }]],
    ];
    for (const [method, args, kwargs] of closed) {
      expect([args, await key.outcome(order, method, args, kwargs)]).toEqual([args, '403 ACCESS_DENIED']);
    }
    expect(await key.outcome(order, 'search_read', [[['note', '=', 'seen']], ['name', { line_ids: ['name'] }]])).toBe(
      'OK',
    );
    const values = { line_ids: [['create', { name: 'new' }]] };
    const dry = await key.rpc<Dry>(order, 'write', [[inside], values], { dry_run: true });
    for (const { model, values: told } of dry.changes) {
      const known = model === order ? ['name', 'note', 'count', 'line_ids'] : ['name', 'order_id'];
      expect(Object.keys(told).filter((name) => !known.includes(name))).toEqual([]);
    }
  });

  it('KEY-5 nothing that one key may see is kept for another, and the feed names no other field', async () => {
    const [narrow, wide] = [await keyFor(scope), await keyFor({ [order]: all })];
    const ask = (key: Browser) => key.outcome(order, 'search_read', [[], ['state']]);
    expect([await ask(wide), await ask(narrow), await ask(wide)]).toEqual(['OK', '403 ACCESS_DENIED', 'OK']);
    const feed = (cursor: string) =>
      narrow.rpc<{ cursor: string; fields: string[] }[]>('sys.feed', 'search_read', [
        [
          ['cursor', '>', cursor],
          ['model', '=', order],
        ],
      ]);
    const [{ cursor } = { cursor: '' }] = await feed('now');
    await admin.rpc(order, 'write', [[inside], { note: 'seen', is_urgent: true, count: 3 }]);
    expect((await feed(cursor)).map((row) => row.fields)).toEqual([['count']]);
  });

  it('KEY-4 KEY-5 what is no entry is refused when a key is made', async () => {
    for (const entry of [
      '{"*": {"methods": ["read"]}}',
      '{"shop.order": {}}',
      '{"shop.order": {"methods": ["read"], "domain": [["a"]]}}',
      '{"shop.order": {"methods": ["read"], "fields": "name"}}',
      '{"shop.order": {"methods": ["sudo"]}}',
      '{"shop.order": {"methods": ["read"], "rules": []}}',
    ]) {
      const made = await admin.form('/web/action/create_api_key', { name: 'x', scope: entry });
      expect([entry, made.status]).toEqual([entry, 422]);
    }
    const good = '{"shop.order": {"methods": ["read"], "domain": [["state", "=", "sold"]], "fields": ["name"]}}';
    expect((await admin.form('/web/action/create_api_key', { name: 'x', scope: good })).status).toBe(303);
  });
});
