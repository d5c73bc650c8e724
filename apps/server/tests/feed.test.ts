import { compile, type Sql, sql } from '@kontor/database';
import { workState } from '@kontor/kernel';
import { type Actor, typedEnv } from '@kontor/orm';
import { changesAfter } from '@kontor/parts';
import type { Domain } from '@kontor/protocol';
import { statementsOfRequest } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer, TestUser } from './test-server.ts';

interface FeedRow {
  readonly id: number;
  readonly cursor: string;
  readonly model: string | null;
  readonly res_id: number | null;
  readonly operation: string;
  readonly fields: readonly string[];
  readonly at: string | null;
  readonly change_set: number | null;
}

const order = 'shop.order';
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
    { name: 'Sellers follow the feed', model: 'sys.feed', group_id: group, perm_read: true },
  ]);
});
afterAll(() => world.close());

const ask = (browser: Browser, domain: unknown[], kwargs = {}) =>
  browser.rpc<FeedRow[]>('sys.feed', 'search_read', [domain], kwargs);
const head = async (browser: Browser) => (await ask(browser, [['cursor', '>', 'now']]))[0]?.cursor as string;
const after = (browser: Browser, cursor: string, models: readonly string[] = [order], kwargs = {}) =>
  ask(
    browser,
    [
      ['cursor', '>', cursor],
      ['model', 'in', models],
    ],
    kwargs,
  );
const withoutCursors = (rows: readonly FeedRow[]) => rows.map(({ cursor: _cursor, ...row }) => row);
const told = (rows: readonly FeedRow[]) => rows.map(({ operation, res_id }) => `${operation} ${res_id}`);
const create = (values: object = {}) => admin.rpc<number>(order, 'create', [{ name: `F${++next}`, ...values }]);
const write = (id: number, values: object) => admin.rpc(order, 'write', [[id], values]);
const unlink = (id: number) => admin.rpc(order, 'unlink', [[id]]);

describe('the feed', () => {
  it('FED-1 gives what was created, changed and deleted after a cursor, in order, each once a transaction', async () => {
    const start = await head(admin);
    expect(await after(admin, start)).toEqual([]);
    const id = await create({ line_ids: [['create', { name: 'a', qty: 2, price: '3' }]] });
    await write(id, { note: 'x' });
    const gone = await create();
    await unlink(gone);
    const rows = await after(admin, start);
    expect(told(rows)).toEqual([`create ${id}`, `write ${id}`, `unlink ${gone}`]);
    expect(rows[1]).toMatchObject({ model: order, fields: ['note'], at: expect.stringMatching(/Z$/) });
    expect(new Set(rows.map((row) => row.change_set)).size).toBe(3);
    expect(withoutCursors(await after(admin, rows[1]?.cursor as string))).toEqual(withoutCursors(rows.slice(2)));
    expect(told(await after(admin, start, [order], { limit: 1 }))).toEqual([`create ${id}`]);
    expect(told(await after(admin, start, ['shop.order.line']))).toEqual([expect.stringMatching(/^create \d+$/)]);
    const everything = await ask(admin, [['cursor', '>', start]]);
    expect(new Set(everything.map((row) => row.model))).toEqual(new Set([order, 'shop.order.line']));
    const one = [
      ['cursor', '>', start],
      ['res_id', '=', id],
      ['model', '=', order],
    ];
    expect(told(await ask(admin, one))).toEqual([`create ${id}`, `write ${id}`]);
    expect(await admin.rpc('sys.feed', 'search_read', [one, ['res_id']])).toEqual(
      rows.slice(0, 2).map((row) => ({ id: row.id, res_id: id })),
    );
  });

  it('FED-2 does not wait for a slow transaction that began earlier, and does not miss it', async () => {
    const start = await head(admin);
    const slow = await create();
    const place = await head(admin);
    let finish = () => {};
    let began = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const mayFinish = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const working = world.work(async (env) => {
      await env.model(order).write([slow], { note: 'slow' });
      began();
      await mayFinish;
    });
    await hasBegun;
    const quick = await create();
    const seen = [told(await after(admin, start)), told(await after(admin, place))];
    const meanwhile = await head(admin);
    finish();
    await working;
    expect(seen).toEqual([[`create ${slow}`, `create ${quick}`], [`create ${quick}`]]);
    expect(told(await after(admin, place))).toEqual([`create ${quick}`, `write ${slow}`]);
    expect(told(await after(admin, meanwhile))).toEqual([`write ${slow}`]);
  });

  it('FED-2 a long transaction that keeps its changes as it goes holds nobody up, and comes whole after its end', async () => {
    const start = await head(admin);
    const records = await admin.rpc<number[]>(order, 'create_many', [[{ name: `F${++next}` }, { name: `F${++next}` }]]);
    let finish = () => {};
    let began = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const mayFinish = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const working = world.work(async (env) => {
      for (const id of records) {
        await env.model(order).write([id], { note: 'long' });
        await workState(env.work)?.keepSoFar();
      }
      began();
      await mayFinish;
    });
    await hasBegun;
    const quick = await create();
    const before = await after(admin, start);
    expect(told(before)).toEqual([...records, quick].map((id) => `create ${id}`));
    const cursors = [before[0]?.cursor, before.at(-1)?.cursor, await head(admin)] as string[];
    finish();
    await working;
    const late = records.map((id) => `write ${id}`);
    const [first = '', last = '', now = ''] = cursors;
    expect(told(await after(admin, last))).toEqual(late);
    expect(told(await after(admin, now))).toEqual(late);
    expect(told(await after(admin, first))).toEqual([`create ${records[1]}`, `create ${quick}`, ...late]);
  });

  it('FED-3 shows what the caller may read; what they may no longer read is gone, what they never could is absent', async () => {
    const start = await head(seller.browser);
    const mine = await create({ user_id: seller.id, margin: '5' });
    const others = await create({ user_id: 1 });
    await write(others, { note: 'secret' });
    const taken = await create({ user_id: seller.id });
    await write(taken, { user_id: 1, note: 'taken' });
    await write(taken, { note: 'later' });
    const given = await create({ user_id: 1 });
    await write(given, { user_id: seller.id });
    const mineGone = await create({ user_id: seller.id });
    await unlink(mineGone);
    await unlink(others);
    const rows = await after(seller.browser, start);
    expect(told(rows)).toEqual([
      `create ${mine}`,
      `unlink ${taken}`,
      `create ${given}`,
      `write ${given}`,
      `unlink ${mineGone}`,
    ]);
    expect(rows.find((row) => row.res_id === taken)?.fields).toEqual([]);
    expect(rows[0]?.fields).not.toContain('margin');
    expect((await after(admin, start))[0]?.fields).toContain('margin');
    expect(await seller.browser.outcome('sys.feed', 'search_read', [[['model', '=', 'sys.rule']]])).toBe(
      '403 ACCESS_DENIED',
    );
    const everything = await ask(seller.browser, [['cursor', '>', start]]);
    expect(withoutCursors(everything.filter((row) => row.model === order))).toEqual(withoutCursors(rows));
  });

  it('FED-3 lists and wholes that are gone too: whoever could see the record hears of it', async () => {
    const [rule] = await admin.rpc<{ id: number }[]>('sys.rule', 'search_read', [[['name', '=', 'Own orders']], []]);
    const tag = await admin.rpc<number>('shop.tag', 'create', [{ name: 'for sellers' }]);
    const line = { line_ids: [['create', { name: 'a', price: '1' }]] };
    await admin.rpc('sys.rule', 'write', [[rule?.id], { domain: [['tag_ids', '=', tag]] }]);
    const start = await head(seller.browser);
    const tagged = await create({ tag_ids: [['set', [tag]]] });
    const untagged = await create();
    await write(untagged, { note: 'nobody hears of it' });
    await write(tagged, { tag_ids: [['clear']] });
    const whole = await create({ tag_ids: [['set', [tag]]], ...line });
    const [read] = await admin.rpc<{ line_ids: number[] }[]>(order, 'read', [[whole], ['line_ids']]);
    await unlink(whole);
    await admin.rpc('sys.rule', 'write', [[rule?.id], { domain: [['user_id', '=', '$uid']] }]);
    await admin.rpc('sys.rule', 'write', [[rule?.id], { domain: [['tag_ids', '=', tag]] }]);
    expect(told(await after(seller.browser, start))).toEqual([`unlink ${tagged}`, `unlink ${whole}`]);
    expect(told(await after(seller.browser, start, ['shop.order.line']))).toEqual([`unlink ${read?.line_ids[0]}`]);
    await admin.rpc('sys.rule', 'write', [[rule?.id], { domain: [['user_id', '=', '$uid']] }]);
  });

  it('FED-3 a record that came back is there, though its deletion was taken back by an undo', async () => {
    const id = await create({ note: 'back' });
    const start = await head(admin);
    const { headers } = await admin.call({ model: order, method: 'unlink', args: [[id]] });
    await admin.rpc('sys.change.set', 'call', [Number(headers.get('x-change-set')), 'action_revert']);
    expect(told(await after(admin, start)).at(-1)).toBe(`create ${id}`);
    expect(told(await after(admin, start))).not.toContain(`unlink ${id}`);
  });

  it('FED-4 a cursor that is too old, or of another database, is refused with a reason', async () => {
    const cursor = await head(admin);
    const [history, time, place] = cursor.split('-') as [string, string, string];
    const aged = (seconds: number) => [history, Number(time) - seconds, place].join('-');
    const refusal = async (value: unknown) => {
      const { status, error } = await admin.call({
        model: 'sys.feed',
        method: 'search_read',
        args: [[['cursor', '>', value]]],
      });
      return [status, error?.code, error?.details.reason ?? error?.details.field];
    };
    expect(await refusal(aged(59 * 86_400 + 5))).toEqual([409, 'CONFLICT', 'expired']);
    expect(await refusal(['0'.repeat(12), time, place].join('-'))).toEqual([409, 'CONFLICT', 'history']);
    for (const wrong of ['', '0', 7, null, `${cursor}-1`, `${history}-1-99999999999-1`]) {
      expect([wrong, await refusal(wrong)]).toEqual([wrong, [400, 'INVALID_ARGS', 'cursor']]);
    }
    const rows = await after(admin, aged(2 * 86_400));
    expect([rows.map((row) => row.operation), rows[0]?.model]).toEqual([['skip'], null]);
    expect(await after(admin, rows[0]?.cursor as string)).toEqual([]);
  });

  it('FED-4 cursors of the version before are good, up to the change that they name', async () => {
    const [history, time] = (await head(admin)).split('-') as [string, string];
    const ids = [await create(), await create(), await create()];
    const [change] = await world.kernel.database.query<{ xact: string; id: number }>(sql`
      select xact::text as xact, id from sys_change where model = ${order} and res_id = ${ids[0]}::int4 order by id limit 1`);
    const old = `${history}-${change?.xact}-${change?.id}-${time}`;
    const rows = await after(admin, old, [order], { limit: 1 });
    expect(told(rows)).toEqual([`create ${ids[1]}`]);
    expect(told(await after(admin, rows[0]?.cursor as string))).toEqual([`create ${ids[2]}`]);
    expect(told(await after(admin, old))).toEqual([`create ${ids[1]}`, `create ${ids[2]}`]);
  });

  it('FED-5 refuses what it cannot answer, by name', async () => {
    const outcome = async (method: string, args: unknown[], kwargs = {}) => {
      const { error } = await admin.call({ model: 'sys.feed', method, args, kwargs });
      return `${error?.code} ${error?.details.field ?? ''}`;
    };
    const wrong: [string, unknown[], object?][] = [
      ['search_read', [[['operation', '=', 'create']]]],
      ['search_read', [[['cursor', '<', 'now']]]],
      ['search_read', [[['model', '!=', order]]]],
      ['search_read', [['|', ['model', '=', order], ['res_id', '=', 1]]]],
      [
        'search_read',
        [
          [
            ['model', '=', order],
            ['model', '=', order],
          ],
        ],
      ],
      ['search_read', [[['res_id', '=', 'x']]]],
      ['search_read', [[['model', '=', 'sys.session']]]],
      ['search_read', [[], ['values']]],
      ['search_read', [[], [{ fields: [] }]]],
      ['search_read', [[]], { offset: 1 }],
      ['search_read', [[]], { order: '-cursor' }],
      ['read', [[1]]],
      ['read_group', [{ domain: [], groupby: ['model'], fields: [] }]],
    ];
    for (const [method, args, kwargs] of wrong) {
      expect([args, await outcome(method, args, kwargs)]).toEqual([args, expect.stringMatching(/^INVALID_ARGS \w+/)]);
    }
    expect(await outcome('search_read', [[['model', '=', 'no.such']]])).toMatch(/^MODEL_NOT_FOUND/);
    expect(await outcome('create', [{ model: order }])).toMatch(/^ACCESS_DENIED/);
    expect(await admin.rpc('sys.feed', 'search_read', [[]], { limit: 0 })).toEqual([]);
  });

  it('FED-6 costs two statements for a model, two more where something is hidden', async () => {
    const start = await head(admin);
    for (let at = 0; at < 3; at++) await create();
    const question = {
      model: 'sys.feed',
      method: 'search_read',
      args: [
        [
          ['cursor', '>', start],
          ['model', '=', order],
        ],
      ],
    };
    expect(await statementsOfRequest(world.kernel.database, () => admin.call(question))).toBe(3);
    const hidden = {
      ...question,
      args: [
        [
          ['cursor', '>', start],
          ['model', '=', order],
        ],
      ],
    };
    await write(await create({ user_id: 1 }), { note: 'x' });
    expect(await statementsOfRequest(world.kernel.database, () => seller.browser.call(hidden))).toBe(5);
  });

  it('FED-7 many hidden changes are passed over once: a row says how far nothing is to be told', async () => {
    const start = await head(seller.browser);
    const rows = Array.from({ length: 1_200 }, () => ({ name: `F${++next}`, user_id: 1 }));
    const ids = await admin.rpc<number[]>(order, 'create_many', [rows]);
    const found = await after(seller.browser, start);
    expect(found.map((row) => row.operation)).toEqual(['skip']);
    const mine = await create({ user_id: seller.id });
    expect(told(await after(seller.browser, found[0]?.cursor as string))).toEqual([`create ${mine}`]);
    expect(told(await after(seller.browser, start))).toEqual([`create ${mine}`]);
    const pages: string[] = [];
    for (let cursor = start; ; ) {
      const page = await after(admin, cursor);
      if (page.length === 0) break;
      pages.push(...told(page));
      cursor = page.at(-1)?.cursor as string;
    }
    expect(pages).toEqual([...ids, mine].map((id) => `create ${id}`));
  });

  it('FED-9 hidden changes cost by their number, whatever the length of values that no rule reads', async () => {
    const hide = async (changes: number, length: number) => {
      const start = await head(admin);
      const id = await create({ user_id: 1, note: 'x'.repeat(length) });
      for (let at = 0; at < changes; at++) await write(id, { name: `F${++next}` });
      // All earlier states of the record have the long note.
      await write(id, { note: null });
      return costOf(start);
    };
    const [few, many] = [await hide(40, 100_000), await hide(160, 100_000)];
    expect(many.sent).toBeLessThan(5 * few.sent);
    expect(many.rows).toBeLessThan(5 * few.rows);
    expect(many.sent).toBeLessThan(100_000);
  });

  /** Rows that the database read for the seller, and characters that were sent to it. */
  async function costOf(cursor: string): Promise<{ rows: number; sent: number }> {
    const { result } = await world.kernel.transact((await world.kernel.actor(seller.id)) as Actor, async (env) => {
      let sent = 0;
      const counted = (key: string | symbol, member: unknown) =>
        typeof member !== 'function'
          ? member
          : (...args: unknown[]) => {
              if (key === 'query' || key === 'arrays') sent += JSON.stringify(compile(args[0] as Sql).values).length;
              return Reflect.apply(member, env.db, args);
            };
      const db = new Proxy(env.db, { get: (target, key) => counted(key, Reflect.get(target, key)) });
      const watched = new Proxy(env, { get: (target, key) => (key === 'db' ? db : Reflect.get(target, key)) });
      const readRows = async () => {
        const [row] = await env.db.query<{ rows: number }>(sql`
          select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int4 as rows from pg_stat_xact_user_tables`);
        return row?.rows as number;
      };
      const before = await readRows();
      const { changes } = await changesAfter(typedEnv(watched), order, cursor);
      expect(changes).toEqual([]);
      return { rows: (await readRows()) - before, sent };
    });
    return result;
  }
});

describe('the feed for addons', () => {
  it('FED-8 follows in the name of a person the records that a domain means; what was deleted is asked how it was', async () => {
    const as = async (domain: Domain, cursor: string) => {
      const { result } = await world.kernel.transact((await world.kernel.actor(seller.id)) as Actor, (env) =>
        changesAfter(typedEnv(env), order, cursor, { domain }),
      );
      return result;
    };
    const { cursor: start } = await as([], 'now');
    const meant = await create({ user_id: seller.id, note: 'big' });
    const other = await create({ user_id: seller.id, note: 'small' });
    const gone = await create({ user_id: seller.id, note: 'big' });
    const otherGone = await create({ user_id: seller.id, note: 'small' });
    const hidden = await create({ user_id: 1, note: 'big' });
    for (const id of [gone, otherGone, hidden]) await unlink(id);
    const big: Domain = [['note', '=', 'big']];
    const { changes, cursor } = await as(big, start);
    expect(changes.map(({ operation, id }) => `${operation} ${id}`)).toEqual([`create ${meant}`, `unlink ${gone}`]);
    expect(await as(big, cursor)).toEqual({ changes: [], cursor });
    await write(other, { note: 'big' });
    expect((await as(big, cursor)).changes).toMatchObject([{ id: other, operation: 'write', fields: ['note'] }]);
    await expect(as([['margin', '>', '1']], start)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});
