import { sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
let next = 0;
const order = 'shop.order';
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
});
afterAll(() => world.close());

const fresh = (values: object = {}) => admin.rpc<number>(order, 'create', [{ name: `O${++next}`, ...values }]);
const read = async (id: number, fields: unknown[]) =>
  (await admin.rpc<Record<string, unknown>[]>(order, 'read', [[id], fields]))[0];
const count = async () => (await admin.rpc<unknown[]>(order, 'search_read', [[], []])).length;

describe('base', () => {
  it('RPC-18 merges fields that only one side touched', async () => {
    const id = await fresh({ note: 'seen', count: 1 });
    await admin.rpc(order, 'write', [[id], { count: 2 }]);
    expect(await admin.rpc(order, 'write', [[id], { note: 'mine' }], { base: { note: 'seen', count: 1 } })).toBe(true);
    expect(await read(id, ['note', 'count'])).toEqual({ id, note: 'mine', count: 2 });
  });

  it('RPC-18 answers CONFLICT with base, mine and theirs, and writes nothing', async () => {
    const id = await fresh({ note: 'seen', count: 1 });
    await admin.rpc(order, 'write', [[id], { note: 'theirs' }]);
    const call = {
      model: order,
      method: 'write',
      args: [[id], { note: 'mine', count: 9 }],
      kwargs: { base: { note: 'seen', count: 1 } },
    };
    const { status, error } = await admin.call(call);
    expect([status, error?.code]).toEqual([409, 'CONFLICT']);
    expect(error?.details.fields).toEqual({ note: { base: 'seen', mine: 'mine', theirs: 'theirs' } });
    expect(await read(id, ['note', 'count'])).toEqual({ id, note: 'theirs', count: 1 });
    expect(await admin.outcome(order, 'write', [[id], { note: 'theirs' }], { base: { note: 'seen' } })).toBe('OK');
    expect(await admin.outcome(order, 'write', [[id, await fresh()], { note: 'x' }], { base: { note: 'y' } })).toBe(
      '400 INVALID_ARGS',
    );
    expect(await admin.outcome(order, 'write', [[id], { note: 'x' }], { base: [] })).toBe('400 INVALID_ARGS');
  });
});

describe('dry_run', () => {
  it('RPC-19 runs everything, tells what would have happened, and takes it back', async () => {
    const before = await count();
    const { ok, result, headers } = await admin.call({
      model: order,
      method: 'create',
      args: [{ name: 'dry', line_ids: [['create', { name: 'a', qty: 2, price: '3.00' }]] }],
      kwargs: { dry_run: true },
    });
    expect(ok).toBe(true);
    expect(headers.get('x-change-set')).toBeNull();
    const { dry_run, result: id, changes } = result as { dry_run: boolean; result: number; changes: object[] };
    expect([dry_run, id]).toEqual([true, expect.any(Number)]);
    expect(changes).toContainEqual(
      expect.objectContaining({
        model: order,
        id,
        operation: 'create',
        values: expect.objectContaining({ name: { old: null, new: 'dry' }, amount_total: { old: null, new: 6 } }),
      }),
    );
    expect(changes).toContainEqual(expect.objectContaining({ model: 'shop.order.line', operation: 'create' }));
    expect(await count()).toBe(before);
  });

  it('RPC-19 works for write, unlink, call and the many forms', async () => {
    const partner = await admin.rpc<number>('core.partner', 'create', [{ name: 'P' }]);
    const id = await fresh({ note: 'as it was', partner_id: partner });
    const dry = async (method: string, args: unknown[]) =>
      admin.rpc<{ changes: { model: string; operation: string; values: object }[] }>(order, method, args, {
        dry_run: true,
      });
    expect((await dry('write', [[id], { note: 'else' }])).changes).toEqual([
      { model: order, id, operation: 'write', values: { note: { old: 'as it was', new: 'else' } } },
    ]);
    expect((await dry('unlink', [[id]])).changes[0]).toMatchObject({ model: order, operation: 'unlink' });
    expect((await dry('call', [id, 'action_sell'])).changes[0]?.values).toMatchObject({
      state: { old: 'draft', new: 'sold' },
    });
    expect((await dry('create_many', [[{ name: 'd1' }, { name: 'd2' }]])).changes).toHaveLength(2);
    expect((await dry('write_many', [[id], { note: 'z' }])).changes).toHaveLength(1);
    expect((await dry('unlink_many', [[id]])).changes).toHaveLength(1);
    expect(await read(id, ['note', 'state'])).toEqual({ id, note: 'as it was', state: 'draft' });
    expect(await admin.outcome(order, 'create', [{ name: 'x', state: 'sold' }], { dry_run: true })).toBe(
      '422 VALIDATION_ERROR',
    );
    expect(await admin.outcome(order, 'create', [{ name: 'x' }], { dry_run: 'yes' })).toBe('400 INVALID_ARGS');
    expect(await admin.outcome(order, 'search', [], { dry_run: true })).toBe('400 INVALID_ARGS');
  });

  it('RPC-19 shows nobody what they may not read', async () => {
    const clerk = await world.user('Clerk Cleo', ['shop.group_clerk']);
    const { changes } = await clerk.browser.rpc<{ changes: { values: object }[] }>(
      order,
      'create',
      [{ name: 'mine' }],
      { dry_run: true },
    );
    expect(Object.keys(changes[0]?.values ?? {})).not.toContain('margin');
    expect(JSON.stringify(changes)).not.toContain('password');
  });

  it('RPC-19 an unlink tells what would go with the record, as far as the caller may see it', async () => {
    const clerk = await world.user('Clerk Cora', ['shop.group_clerk']);
    const id = await fresh({ note: 'going', margin: 7 });
    const line = async (qty: number) =>
      admin.rpc<number>('shop.order.line', 'create', [{ order_id: id, name: `Line ${qty}`, qty }]);
    const [seen, hidden] = [await line(1), await line(77)];
    const rule = { name: 'Hides a line', model: 'shop.order.line', domain: [['qty', '!=', 77]], perm_read: true };
    const ruleId = await world.work((env) => env.sudo().model('sys.rule').create(rule));
    const told = await clerk.browser.rpc<{
      changes: { model: string; id: number; operation: string; values: object }[];
    }>(order, 'unlink', [[id]], { dry_run: true });
    await world.work((env) => env.sudo().model('sys.rule').unlink([ruleId]));
    const gone = told.changes.filter(({ operation }) => operation === 'unlink');
    expect(gone.map((change) => [change.model, change.id])).toEqual([
      ['shop.order.line', seen],
      [order, id],
    ]);
    expect(gone[1]?.values).toMatchObject({ note: { old: 'going', new: null } });
    expect(gone[1]?.values).not.toHaveProperty('margin');
    expect(gone[0]?.values).toMatchObject({ name: { old: 'Line 1', new: null } });
    expect(await admin.rpc('shop.order.line', 'search', [[['order_id', '=', id]]])).toHaveLength(2);
    expect([hidden > seen, await read(id, ['note'])]).toEqual([true, { id, note: 'going' }]);
  });
});

describe('change sets', () => {
  const setOf = async (method: string, args: unknown[], kwargs: object = {}): Promise<string | null> =>
    (await admin.call({ model: order, method, args, kwargs })).headers.get('x-change-set');
  const name = () => ({ name: `O${++next}` });

  it('RPC-21 every changing call tells a change set of its own', async () => {
    const [a, b, c] = [await fresh(), await fresh(), await fresh()];
    const sets = [
      await setOf('create', [name()]),
      await setOf('create_many', [[name(), name()]]),
      await setOf('write', [[a], { note: 'one' }]),
      await setOf('write_many', [[a, b], { note: 'two' }]),
      await setOf('call', [a, 'action_archive']),
      await setOf('unlink', [[a]]),
      await setOf('unlink_many', [[b, c]]),
    ];
    for (const set of sets) expect(set).toMatch(/^[1-9]\d*$/);
    expect(new Set(sets).size).toBe(sets.length);
  });

  it('RPC-21 a call that changes nothing, only tries or is refused tells none', async () => {
    const id = await fresh({ note: 'as it is' });
    expect(
      [
        await setOf('search', []),
        await setOf('read', [[id]]),
        await setOf('onchange', [{}, []]),
        await setOf('write', [[id], { note: 'as it is' }]),
        await setOf('call', [id, 'action_open']),
        await setOf('write', [[id], { note: 'tried' }], { dry_run: true }),
        await setOf('write', [[id], { count: 'refused' }]),
      ].filter((set) => set !== null),
    ).toEqual([]);
  });

  it('RPC-21 action_revert takes back all that any call did: fields, lines, links and deleted records', async () => {
    const tags = await admin.rpc<number[]>('shop.tag', 'create_many', [[{ name: 'undo a' }, { name: 'undo b' }]]);
    const lines = [
      ['create', { name: 'a', qty: 2, price: '0.10' }],
      ['create', { name: 'b', qty: 1, price: '9.99' }],
    ];
    const partner = await admin.rpc<number>('core.partner', 'create', [{ name: 'Undone' }]);
    const id = await fresh({ note: 'before', count: 7, extra: { a: [1] }, tag_ids: [['set', tags]], line_ids: lines });
    const [first] = ((await read(id, ['line_ids']))?.line_ids ?? []) as number[];
    const changes: [string, unknown[]][] = [
      ['write', [[id], { note: null, count: 0, extra: null, margin: '1.50', partner_id: partner }]],
      ['write', [[id], { tag_ids: [['unlink', tags[0]]], line_ids: [['delete', first]] }]],
      [
        'write',
        [
          [id],
          {
            line_ids: [
              ['update', first, { qty: 5 }],
              ['create', { name: 'c' }],
            ],
          },
        ],
      ],
      ['write_many', [[id], { state: 'sold', partner_id: partner }]],
      ['call', [id, 'action_archive']],
      ['create_many', [[{ ...name(), line_ids: lines }, name()]]],
      ['unlink', [[id]]],
    ];
    for (const [method, args] of changes) {
      const before = await everything();
      const set = Number(await setOf(method, args));
      expect([method, (await everything()) === before]).toEqual([method, false]);
      expect(await admin.rpc('sys.change.set', 'call', [set, 'action_revert'])).toBe(true);
      expect([method, await everything()]).toEqual([method, before]);
    }
  });

  it('RPC-21 is taken back once, by somebody who sees it', async () => {
    const id = await fresh({ note: 'before' });
    const set = Number(await setOf('write', [[id], { note: 'after' }]));
    const clerk = await world.user('Clerk Undo', ['shop.group_clerk']);
    const revert = [set, 'action_revert'];
    expect(await clerk.browser.outcome('sys.change.set', 'call', revert)).toBe('403 ACCESS_DENIED');
    expect(await read(id, ['note'])).toEqual({ id, note: 'after' });
    expect(await admin.outcome('sys.change.set', 'call', revert)).toBe('OK');
    expect(await admin.outcome('sys.change.set', 'call', revert)).toBe('422 USER_ERROR');
    expect(await read(id, ['note'])).toEqual({ id, note: 'before' });
  });

  /** Every order, line and link as the database has them, but for the stamps of the last change. */
  async function everything(): Promise<string> {
    const rows = await world.kernel.database.query<{ all: string }>(sql`
      select coalesce(string_agg(t.row, E'\n' order by t.row), '') as all from (
        select 'order ' || (to_jsonb(o) - array['create_date', 'create_uid', 'write_date', 'write_uid'])::text as row
          from shop_order o
        union all select 'line ' || (to_jsonb(l) - array['create_date', 'create_uid', 'write_date', 'write_uid'])::text
          from shop_order_line l
        union all select 'link ' || to_jsonb(r)::text from shop_order_tag_ids_rel r) t`);
    return rows[0]?.all ?? '';
  }

  it('RPC-21 action_revert says which records were touched since, and changes none of them', async () => {
    const [id, other] = [await fresh({ note: 'before' }), await fresh({ note: 'before' })];
    const late = Number(await setOf('write', [[id, other], { note: 'third' }]));
    await admin.rpc(order, 'write', [[id], { note: 'fourth' }]);
    const { status, error } = await admin.call({
      model: 'sys.change.set',
      method: 'call',
      args: [late, 'action_revert'],
    });
    expect([status, error?.code]).toEqual([409, 'CONFLICT']);
    expect(error?.details.records).toMatchObject([{ model: order, id, fields: ['note'], by: { id: 1 } }]);
    expect(await read(id, ['note'])).toEqual({ id, note: 'fourth' });
    expect(await read(other, ['note'])).toEqual({ id: other, note: 'third' });
  });
});

describe('Idempotency-Key', () => {
  const create = (name: string, key: string, browser = admin) =>
    browser.call({ model: order, method: 'create', args: [{ name }] }, { 'idempotency-key': key });

  it('RPC-20 the same key and body give the first answer; another body is CONFLICT', async () => {
    const first = await create('once', 'key-1');
    const before = await count();
    const second = await create('once', 'key-1');
    expect([second.status, second.result]).toEqual([200, first.result]);
    expect(second.headers.get('x-change-set')).toBe(first.headers.get('x-change-set'));
    expect(await count()).toBe(before);
    const other = await create('other', 'key-1');
    expect([other.status, other.error?.code]).toEqual([409, 'CONFLICT']);
    expect((await create('another', 'key-2')).ok).toBe(true);
  });

  it('RPC-20 belongs to the user', async () => {
    const clerk = await world.user('Clerk Carl', ['shop.group_clerk']);
    expect((await create('from carl', 'key-1', clerk.browser)).ok).toBe(true);
  });

  it('RPC-20 many at once run once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create('all at once', 'key-many')));
    expect(new Set(answers.map(({ result }) => result)).size).toBe(1);
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });

  it('RPC-20 a call that failed leaves the key free', async () => {
    expect((await create('once', 'key-3')).error?.code).toBe('VALIDATION_ERROR');
    expect((await create('free now', 'key-3')).ok).toBe(true);
  });

  it('RPC-20 a dry run and a reading call use no key up', async () => {
    const dry = await admin.call(
      { model: order, method: 'create', args: [{ name: 'dry' }], kwargs: { dry_run: true } },
      { 'idempotency-key': 'key-4' },
    );
    expect(dry.ok).toBe(true);
    expect((await admin.call({ model: order, method: 'search', args: [] }, { 'idempotency-key': 'key-4' })).ok).toBe(
      true,
    );
    expect((await create('real', 'key-4')).ok).toBe(true);
  });

  it('RPC-20 is forgotten after 24 hours, and must be a sane one', async () => {
    await create('long ago', 'key-5');
    await world.kernel.database.execute(
      sql`update sys_idempotency set create_date = now() - interval '25 hours' where key = 'key-5'`,
    );
    expect((await create('today', 'key-5')).ok).toBe(true);
    for (const key of ['', 'two words', 'x'.repeat(201)]) {
      expect((await create('never', key)).error?.code).toBe('INVALID_ARGS');
    }
  });

  it('RPC-20 kept answers are readable by nobody', async () => {
    expect(await admin.outcome('sys.idempotency', 'search', [])).toBe('403 ACCESS_DENIED');
  });
});
