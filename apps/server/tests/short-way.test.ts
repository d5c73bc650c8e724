import { ident, join, type Queryable, sql } from '@kontor/database';
import { dispatch, type Kernel, type RpcCaller } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { countStatements, createTestKernel, isLong, type TestKernel, testSeed } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { errorEnvelope, okEnvelope, toCallerError } from '../http/envelope.ts';
import { type Call, depotItem as item, someCalls } from './depot-calls.ts';
import { testAddons } from './shop.ts';

/** The same database twice: in one of them changes never take the short way. */
let short: TestKernel;
let ordinary: TestKernel;
const worlds = () => [short, ordinary] as const;
let people: Readonly<Record<'admin' | 'worker', readonly [Actor, Actor]>>;
/** How many changes one statement made. */
let taken = 0;

const own = ['depot_shelf', 'depot_item', 'depot_crate'] as const;
const tables = [...own, 'sys_change_set', 'sys_change', 'sys_outbox'] as const;
let clock = Date.parse('2026-11-16T08:00:00Z');

beforeAll(async () => {
  // Both worlds have the same time, which only these tests move on.
  vi.useFakeTimers({ toFake: ['Date'], now: clock });
  const options = { addonsPath: [testAddons], modules: ['depot'] };
  [short, ordinary] = await Promise.all([
    createTestKernel({ ...options, isOrdinary: false }),
    createTestKernel({ ...options, isOrdinary: true }),
  ]);
  const workers = [await short.person('Will Worker'), await ordinary.person('Will Worker')] as const;
  people = { admin: [short.admin, ordinary.admin], worker: workers };
  for (const { work } of worlds()) await work((env) => fill(env.sudo()));
  count(short.kernel);
});
afterAll(async () => {
  vi.useRealTimers();
  await Promise.all(worlds().map((world) => world?.close()));
});

type Sudo = Parameters<Parameters<TestKernel['work']>[0]>[0];

async function fill(env: Sudo): Promise<void> {
  const other = await env.model('core.company').create({ name: 'Elsewhere', currency_id: await env.ref('base.EUR') });
  await env
    .model('depot.shelf')
    .createMany([
      { name: 'open' },
      { name: 'closed', is_open: false },
      { name: 'hidden', owner_id: 1 },
      { name: 'elsewhere', company_id: other },
    ]);
  await env.model(item).createMany([
    { name: 'first', level: 3, note: 'n', is_heavy: true, price: '1.50', rate: 0.1, at: '2026-01-01T00:00:00.120Z' },
    { name: 'shut', state: 'shut', note: 'locked' },
    { name: 'above', level: 9 },
    { name: 'elsewhere', company_id: other },
    { name: 'empty', level: null, day: null, at: null },
    // Random calls leave these alone.
    { name: 'calm', level: 2, note: 'n' },
    { name: 'calm and shut', state: 'shut', note: 'locked' },
  ]);
  await env.model('depot.crate').createMany([{ name: 'crate', width: 2, item_id: 1 }]);
}

function count(kernel: Kernel): void {
  const { changeAtOnce } = kernel;
  kernel.changeAtOnce = async (...asked) => {
    const done = await changeAtOnce(...asked);
    if (done) taken++;
    return done;
  };
}

interface Told {
  readonly text: string;
  readonly changeSet: number | null;
}

async function ask({ kernel }: TestKernel, actor: Actor, call: Call, more: Partial<RpcCaller> = {}): Promise<Told> {
  const origin = { requestId: 'r-1', address: '::1', via: 'key 7' };
  const caller = { actor, scope: null, ...origin, idempotency: null, lastWrite: null, ...more };
  const { model = item, method, args, kwargs = {} } = call;
  try {
    const { json, changeSet } = await dispatch(kernel, caller, { model, method, args: [...args], kwargs });
    return { text: okEnvelope(json), changeSet };
  } catch (error) {
    const text = errorEnvelope(toCallerError(error, { requestId: 'r', bodyLimit: 0 }));
    // A refused creation names the number that was drawn for it, and the short way had drawn one before.
    return { text: method === 'create' ? text.replace(/"ids":\[\d+\]/, '"ids":["new"]') : text, changeSet: null };
  }
}

/** What a refused statement drew from a sequence is lost: both databases go on from the same numbers. */
async function alignNumbers(db: Queryable, from: number): Promise<void> {
  const sets = tables.map((table) => sql`setval(pg_get_serial_sequence(${table}, 'id'), ${from})`);
  await db.arrays(sql`select ${join(sets)}`);
}

/** All rows. What the kernel keeps has the database's own moments and numbers of transactions, which differ. */
async function rowsOf(db: Queryable): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (const table of tables) {
    const row = own.some((each) => each === table)
      ? sql`to_jsonb(t)::text`
      : sql`(to_jsonb(t) - 'create_date' - 'write_date' - 'xact')::text`;
    all.push(...(await db.arrays(sql`select ${table}::text, ${row} from ${ident(table)} t order by id`)));
  }
  return all;
}

/** The same calls in both worlds, one after the other: the same answers, and in the end the same rows. */
async function compare(calls: readonly Call[]): Promise<readonly Told[]> {
  const answers: Told[] = [];
  for (const call of calls) {
    const from = 1_000 + ++asked * 10;
    const [mine, theirs] = people[call.by];
    clock += 1_001;
    vi.setSystemTime(clock);
    for (const { kernel } of worlds()) await alignNumbers(kernel.database, from);
    const answer = await ask(short, mine, call);
    expect([call, answer]).toEqual([call, await ask(ordinary, theirs, call)]);
    answers.push(answer);
  }
  expect(await rowsOf(short.kernel.database)).toEqual(await rowsOf(ordinary.kernel.database));
  return answers;
}
let asked = 0;

describe('PRF-2 a change by one statement is the change of the ordinary way', () => {
  it('PRF-2 random calls have the same answers, rows, change sets and events', async () => {
    const before = taken;
    const calls = someCalls(testSeed, isLong ? 3_000 : 220);
    const answers = await compare(calls);
    const changed = answers.filter(({ changeSet }) => changeSet !== null).length;
    expect(taken - before).toBeGreaterThan(changed / 2);
    expect(changed).toBeGreaterThan(calls.length / 5);
    expect(changed).toBeLessThan(calls.length);
  });

  it('PRF-2 a base that is current, and one that is not', async () => {
    const by = 'worker';
    const answers = await compare([
      { by, method: 'write', args: [[6], { note: 'mine' }], kwargs: { base: { note: 'not so' } } },
      { by, method: 'write', args: [[6], { note: 'settled', grade: 'a' }] },
      { by, method: 'write', args: [[6], { note: 'mine' }], kwargs: { base: { note: 'settled' } } },
      { by, method: 'write', args: [[6], { note: 'yours' }], kwargs: { base: { note: 'settled' } } },
      {
        by,
        method: 'write',
        args: [[6], { note: 'mine', grade: 'b' }],
        kwargs: { base: { note: 'settled', grade: 'a' } },
      },
    ]);
    expect(answers.map(({ text }) => /"code":"(\w+)"/.exec(text)?.[1] ?? 'OK')).toEqual([
      ...['CONFLICT', 'OK', 'OK', 'CONFLICT', 'OK'],
    ]);
  });

  it('PRF-2 what follows from a change follows: computes, locks of a state, moves', async () => {
    const by = 'admin';
    await compare([
      { by, model: 'depot.crate', method: 'write', args: [[1], { width: 5 }] },
      { by, model: 'depot.crate', method: 'write', args: [[1], { name: 'renamed' }] },
      { by, model: 'depot.crate', method: 'create', args: [{ name: 'second', width: 3 }] },
      { by, method: 'write', args: [[7], { note: 'not while shut' }] },
      { by, method: 'write', args: [[7], { grade: 'b' }] },
      { by, method: 'write', args: [[7], { state: 'open' }] },
      { by, method: 'write', args: [[7], { note: 'open again' }] },
    ]);
  });
});

const plain = (model: string, ...args: unknown[]): Call => ({ by: 'worker', model, method: 'write', args });

describe('PRF-1 one statement', () => {
  const cost = (call: Call, more: Partial<RpcCaller> = {}) =>
    countStatements(() => ask(short, people[call.by][0], call, more));
  const fresh: Call = { by: 'worker', method: 'create', args: [{ name: 'one', shelf_id: 1, price: 2 }] };

  it('PRF-1 writes and creates that must read nothing else are one, whether they change something or not', async () => {
    expect(await cost(plain(item, [6], { note: 'once', level: 2 }))).toBe(1);
    expect(await cost(plain(item, [6], { note: 'once', level: 2 }))).toBe(1);
    expect(await cost(plain('depot.crate', [1], { name: 'named' }))).toBe(1);
    expect(await cost(fresh)).toBe(1);
  });

  it('PRF-1 others take the ordinary way: a stored compute, several records, a dry run, a kept answer', async () => {
    expect(await cost(plain('depot.crate', [1], { width: 8 }))).toBeGreaterThan(1);
    expect(await cost(plain(item, [6, 7], { grade: 'a', level: 4 }))).toBeGreaterThan(1);
    expect(await cost({ ...plain(item, [6], { note: 'dry' }), kwargs: { dry_run: true } })).toBeGreaterThan(1);
    const idempotency = { key: 'k', bodyHash: 'h' };
    expect(await cost(fresh, { idempotency })).toBeGreaterThan(1);
  });
});

describe('PRF-3 parallel writers of one record', () => {
  it('PRF-3 no change is lost, each tells what was there before it, and events come in the order of the changes', async () => {
    const { kernel } = short;
    const mark = await newest(kernel.database);
    const worker = people.worker[0];
    await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        at % 4 === 0
          ? kernel.transact(worker, (env) => env.model(item).write([6], { note: `ordinary ${at}` }))
          : ask(short, worker, plain(item, [6], { note: `short ${at}` })),
      ),
    );
    const changes = await kernel.database.arrays(sql`
      select values #>> '{note,old}', values #>> '{note,new}' from sys_change where id > ${mark.change} order by id`);
    expect(changes).toHaveLength(24);
    for (const [at, [old]] of changes.slice(1).entries()) expect(old).toBe(changes[at]?.[1]);
    const [events] = await kernel.database.arrays(sql`
      select array_agg(e.xact order by e.id) = (select array_agg(c.xact order by c.id) from sys_change c where c.id > ${mark.change})
      from sys_outbox e where e.id > ${mark.event}`);
    expect(events).toEqual([true]);
  });

  async function newest(db: Queryable): Promise<{ readonly change: number; readonly event: number }> {
    const [row] = await db.arrays(sql`select (select max(id) from sys_change), (select max(id) from sys_outbox)`);
    return { change: row?.[0] as number, event: row?.[1] as number };
  }

  it('PRF-3 a record that changed while the statement waited is judged as it is then', async () => {
    for (const level of [9, 4]) {
      const answers = await Promise.all(
        worlds().map(async (world, at) => {
          const by = people.worker[at] as Actor;
          await world.work((env) => env.sudo().model(item).write([6], { level: 2, note: 'before' }));
          return afterOther(world, () => ask(world, by, plain(item, [6], { note: `after ${level}` })), { level });
        }),
      );
      expect(answers[0]?.text).toBe(answers[1]?.text);
      expect(answers[0]?.text.includes('ACCESS_DENIED')).toBe(level === 9);
    }
  });

  /** Runs a call that waits for another transaction, which then changes the record. */
  async function afterOther({ kernel }: TestKernel, call: () => Promise<Told>, values: object): Promise<Told> {
    let waiting: Promise<Told> | undefined;
    await kernel.database.transaction(async (tx) => {
      await tx.execute(sql`select id from depot_item where id = 6 for update`);
      waiting = call();
      await expect
        .poll(() =>
          kernel.database.urgent.arrays(sql`
          select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
        )
        .not.toEqual([]);
      await tx.execute(sql`update depot_item set level = ${(values as { level: number }).level} where id = 6`);
    });
    return waiting as Promise<Told>;
  }
});

describe('PRF-4 a kept plan', () => {
  const note = (text: string) => ask(short, people.worker[0], plain(item, [7], { grade: text }));

  it('PRF-4 ends with the rights, rules and automations that it was made under', async () => {
    await short.work((env) => env.sudo().model(item).write([7], { level: 1, state: 'open' }));
    const before = taken;
    expect((await note('a')).text).toBe(okEnvelope('true'));
    expect((await note('b')).text).toBe(okEnvelope('true'));
    expect(taken - before).toBe(2);
    const rule = await short.work((env) =>
      env
        .sudo()
        .model('sys.rule')
        .create({
          ...{ name: 'not the second', model: item, domain: [['id', '!=', 7]], active: true },
          ...{ perm_read: true, perm_write: true, perm_create: true, perm_unlink: true },
        }),
    );
    expect((await note('a')).text).toContain('ACCESS_DENIED');
    await short.work((env) => env.sudo().model('sys.rule').unlink([rule]));
    const automation = await short.work((env) =>
      env.model('sys.automation').create({ name: 'Tell', model: item, trigger: 'write', action: 'publish:depot.told' }),
    );
    expect((await note('a')).text).toBe(okEnvelope('true'));
    const told = sql`select payload ->> 'id' from sys_outbox where channel = 'depot.told'`;
    expect(await short.kernel.database.arrays(told)).toEqual([['7']]);
    await short.work((env) => env.model('sys.automation').unlink([automation]));
    expect((await note('b')).text).toBe(okEnvelope('true'));
    expect(taken - before).toBe(3);
    expect(await short.kernel.database.arrays(told)).toHaveLength(1);
  });

  it('PRF-4 what a key covers is asked of the short way too', async () => {
    const only = (domain: unknown) =>
      ({ scope: { [item]: { methods: ['write'], domain, fields: ['grade'] } } }) as Partial<RpcCaller>;
    const call = (values: object, more: Partial<RpcCaller>) =>
      ask(short, people.worker[0], plain(item, [7], values), more);
    expect((await call({ grade: 'a' }, only([['id', '=', 7]]))).text).toBe(okEnvelope('true'));
    expect((await call({ grade: 'b' }, only([['id', '=', 6]]))).text).toContain('ACCESS_DENIED');
    expect((await call({ note: 'b' }, only([['id', '=', 7]]))).text).toContain('ACCESS_DENIED');
  });

  it('PRF-4 a change of the schema is noticed, and the change is made once', async () => {
    const { kernel } = short;
    for (const grade of ['a', 'b', 'a']) await note(grade);
    await kernel.database.execute(sql`alter table depot_item alter column grade type varchar(20)`);
    const [before] = await kernel.database.arrays(sql`select count(*) from sys_change`);
    expect((await note('b')).text).toBe(okEnvelope('true'));
    expect(await kernel.database.arrays(sql`select count(*) from sys_change`)).toEqual([[(before?.[0] as number) + 1]]);
  });
});

it('PRF-5 a call that was stopped while it waited is told so, as on the ordinary way', async () => {
  const answers = await Promise.all(
    worlds().map(async (world, at) => {
      const { database } = world.kernel;
      let waiting: Promise<Told> | undefined;
      await database.transaction(async (tx) => {
        await tx.execute(sql`select id from depot_item where id = 6 for update`);
        waiting = ask(world, people.worker[at] as Actor, plain(item, [6], { note: 'stopped' }));
        await expect
          .poll(() =>
            database.urgent.arrays(sql`
            select pg_cancel_backend(pid) from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()`),
          )
          .toEqual([[true]]);
        await waiting;
      });
      return (await (waiting as unknown as Promise<Told>)).text;
    }),
  );
  expect(answers[0]).toContain('UNAVAILABLE');
  expect(answers[0]).toBe(answers[1]);
});
