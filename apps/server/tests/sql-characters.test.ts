import { sql } from '@kontor/database';
import { isLong } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
let ids: number[];
const order = 'shop.order';
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
  ids = await admin.rpc<number[]>(order, 'create_many', [[{ name: 'plain' }, { name: 'other', note: 'kept' }]]);
});
afterAll(() => world.close());

/** Texts that would do something if any of them ever became a part of a statement. */
const texts = [
  ...[
    "'",
    "''",
    '"',
    '`',
    ';',
    '--',
    '/*',
    '*/',
    '\\',
    "\\'",
    '$1',
    '$$',
    '%',
    '_',
    '%%',
    '?',
    ':x',
    '@x',
    '#',
    '::int',
    'null',
    "E'\\x27'",
  ],
  ...[
    "' or '1'='1",
    "' or true --",
    "'; drop table shop_order; --",
    "'); delete from shop_order; --",
    '" or 1=1 --',
    "1' union select password from core_user --",
  ],
  ...[
    "'||pg_sleep(5)||'",
    '{1,2}',
    '{"a":1}',
    "x') or ('1'='1",
    'name" = "name',
    "'::regclass",
    'pg_catalog.pg_class',
    '\u02bc or 1=1',
    '\u2019',
  ],
];

/** Everything that must stay as it is. */
const snapshot = async () => {
  const rows = await world.kernel.database.query<{ rows: string }>(
    sql`select json_agg(t order by id)::text as rows from shop_order t where id = any(${ids}::int4[])`,
  );
  const tables = await world.kernel.database.query<{ count: number }>(
    sql`select count(*)::int4 as count from information_schema.tables where table_schema = 'public'`,
  );
  return [rows[0]?.rows, tables[0]?.count];
};

describe('SQL characters', () => {
  long('RPC-23 are stored, found and given back as they are', async () => {
    for (const [at, text] of texts.entries()) {
      const name = `${at} ${text}`;
      const id = await admin.rpc<number>(order, 'create', [{ name, note: text, extra: { [text]: text } }]);
      expect(await admin.rpc(order, 'read', [[id], ['name', 'note', 'extra']])).toEqual([
        { id, name, note: text, extra: { [text]: text } },
      ]);
      for (const operator of ['=', 'like', 'ilike']) {
        const found = await admin.rpc<{ id: number }[]>(order, 'search_read', [[['name', operator, name]], []]);
        expect([operator, text, found]).toEqual([operator, text, [{ id }]]);
      }
      expect(await admin.rpc(order, 'search_read', [[['name', 'in', [name]]], ['name']])).toEqual([{ id, name }]);
      await admin.rpc(order, 'write', [[id], { note: `${text}${text}` }], { base: { note: text } });
      const [group] = await admin.rpc<{ note: string }[]>(order, 'read_group', [
        { domain: [['id', '=', id]], groupby: ['note'], fields: [] },
      ]);
      expect(group?.note).toBe(`${text}${text}`);
      await admin.rpc(order, 'unlink', [[id]]);
    }
  });

  long('RPC-23 change nothing in any place for a name or a number', async () => {
    const before = await snapshot();
    for (const [nth, text] of texts.entries()) {
      const everyPlace: [string, string, unknown[], object?][] = [
        [text, 'search', []],
        [order, text, []],
        [order, 'search', [[[text, '=', 1]]]],
        [order, 'search', [[['name', text, 'x']]]],
        [order, 'search', [[['count', '=', text]]]],
        [order, 'search', [[['id', 'in', [text]]]]],
        [order, 'search', [[['date_order', '>', text]]]],
        [order, 'search', [[['partner_id.name', '=', text]]]],
        [order, 'search', [[[`partner_id.${text}`, '=', 1]]]],
        [order, 'search', [[text]]],
        [order, 'search', [], { order: text }],
        [order, 'search', [], { order: `name ${text}` }],
        [order, 'search', [], { limit: text }],
        [order, 'search', [], { [text]: 1 }],
        [order, 'search_read', [[], [text]]],
        [order, 'search_read', [[], [`partner_id.${text}`]]],
        [order, 'search_read', [[], [{ [text]: ['name'] }]]],
        [order, 'read', [[text]]],
        [order, 'read_group', [{ domain: [], groupby: [text], fields: [] }]],
        [order, 'read_group', [{ domain: [], groupby: [`date_order:${text}`], fields: [] }]],
        [
          order,
          'read_group',
          [{ domain: [], groupby: ['state'], fields: [{ name: text, field: 'count', measure: 'sum' }] }],
        ],
        [
          order,
          'read_group',
          [{ domain: [], groupby: ['state'], fields: [{ name: 'x', field: text, measure: 'sum' }] }],
        ],
        [
          order,
          'read_group',
          [{ domain: [], groupby: ['state'], fields: [{ name: 'x', field: 'count', measure: text }] }],
        ],
        [order, 'read_group', [{ domain: [], groupby: ['state'], fields: [], order: text }]],
        [order, 'call', [ids[0], text]],
        [order, 'call', [0, 'action_open', { active_ids: text }]],
        [order, 'create', [{ [text]: 1, name: 'x' }], { dry_run: true }],
        [order, 'create', [{ name: 'x', state: text }], { dry_run: true }],
        [order, 'create', [{ name: 'x', line_ids: [[text, 1]] }], { dry_run: true }],
        [order, 'write', [[text], { note: 'x' }]],
        [order, 'write', [[ids[0]], { [text]: 'x' }]],
        [order, 'unlink', [[text]]],
        [order, 'onchange', [{ name: text }, text]],
      ];
      // The short run tries each text in every fourth place, and so each place with every fourth text.
      const places = everyPlace.filter((_, at) => isLong || (at + nth) % 4 === 0);
      const statuses = await Promise.all(
        places.map(
          async ([model, method, args, kwargs = {}]) => (await admin.call({ model, method, args, kwargs })).status,
        ),
      );
      const failed = places.filter((_, at) => (statuses[at] as number) >= 500);
      expect([text, failed]).toEqual([text, []]);
      const visible = text.replaceAll(/[^\x21-\x7e]/g, '');
      await admin.call({ model: order, method: 'search', args: [] }, { 'x-request-id': visible });
    }
    for (const login of texts.slice(0, 8)) await world.browser().form('/web/login', { login, password: login });
    expect(await snapshot()).toEqual(before);
  });
});
