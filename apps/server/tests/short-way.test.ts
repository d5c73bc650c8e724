import { type Queryable, sql } from '@kontor/database';
import type { RpcCaller } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { countStatements, isLong, type TestKernel, testSeed } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { okEnvelope } from '../http/envelope.ts';
import { type Call, depotItem as item, someCalls } from './depot-calls.ts';
import { testAddons } from './shop.ts';
import { openTwoWays, type Told, type TwoWays } from './two-ways.ts';

let ways: TwoWays;
let short: TestKernel;
const worlds = () => ways.both;
const ask: TwoWays['ask'] = (...asked) => ways.ask(...asked);
let people: Readonly<Record<'admin' | 'worker', readonly [Actor, Actor]>>;
const compare = (calls: readonly Call[]) => ways.compare(calls, people);

beforeAll(async () => {
  const options = { addonsPath: [testAddons], modules: ['depot'] };
  ways = await openTwoWays(options, ['depot_shelf', 'depot_item', 'depot_crate']);
  short = ways.short;
  const [mine, theirs] = [await short.person('Will Worker'), await ways.ordinary.person('Will Worker')];
  people = { admin: [short.admin, ways.ordinary.admin], worker: [mine, theirs] };
  for (const { work } of worlds()) await work((env) => fill(env.sudo()));
});
afterAll(() => ways?.close());

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

describe('PRF-2 a change by one statement is the change of the ordinary way', () => {
  long('PRF-2 random calls have the same answers, rows, change sets and events', async () => {
    const before = ways.taken();
    const calls = someCalls(testSeed, isLong ? 3_000 : 220);
    const answers = await compare(calls);
    const changed = answers.filter(({ changeSet }) => changeSet !== null).length;
    expect(ways.taken() - before).toBeGreaterThan(changed / 2);
    expect(changed).toBeGreaterThan(calls.length / 5);
    expect(changed).toBeLessThan(calls.length);
  });

  it('PRF-2 a base that is current, and one that is not', async () => {
    const by = 'worker';
    const answers = await compare([
      { by, model: item, method: 'write', args: [[6], { note: 'mine' }], kwargs: { base: { note: 'not so' } } },
      { by, model: item, method: 'write', args: [[6], { note: 'settled', grade: 'a' }] },
      { by, model: item, method: 'write', args: [[6], { note: 'mine' }], kwargs: { base: { note: 'settled' } } },
      { by, model: item, method: 'write', args: [[6], { note: 'yours' }], kwargs: { base: { note: 'settled' } } },
      {
        by,
        model: item,
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
      { by, model: item, method: 'write', args: [[7], { note: 'not while shut' }] },
      { by, model: item, method: 'write', args: [[7], { grade: 'b' }] },
      { by, model: item, method: 'write', args: [[7], { state: 'open' }] },
      { by, model: item, method: 'write', args: [[7], { note: 'open again' }] },
    ]);
  });
});

it('PRF-25 a secret never reaches the history, given or by default', async () => {
  const create = (values: object): Call => ({ by: 'admin', model: 'depot.shelf', method: 'create', args: [values] });
  const before = ways.taken();
  const answers = await compare([
    create({ name: 'by default' }),
    create({ name: 'given', label_code: 'opens this shelf' }),
  ]);
  expect(answers.every(({ changeSet }) => changeSet !== null)).toBe(true);
  expect(ways.taken()).toBe(before);
  for (const { kernel } of worlds()) {
    const leaks = sql`select values from sys_change where values::text like '%opens %'`;
    expect(await kernel.database.arrays(leaks)).toEqual([]);
  }
});

const plain = (model: string, ...args: unknown[]): Call => ({ by: 'worker', model, method: 'write', args });

describe('PRF-1 one statement', () => {
  const cost = (call: Call, more: Partial<RpcCaller> = {}) =>
    countStatements(() => ask(short, people[call.by][0], call, more));
  const fresh: Call = { by: 'worker', model: item, method: 'create', args: [{ name: 'one', shelf_id: 1, price: 2 }] };

  it('PRF-1 writes and creates that must read nothing else are one, whether they change something or not', async () => {
    expect(await cost(plain(item, [6], { note: 'once', level: 2 }))).toBe(1);
    expect(await cost(plain(item, [6], { note: 'once', level: 2 }))).toBe(1);
    expect(await cost(plain('depot.crate', [1], { name: 'named' }))).toBe(1);
    expect(await cost(fresh)).toBe(1);
  });

  it('PRF-1 others take the ordinary way: a stored compute, several records, a dry run, another company', async () => {
    expect(await cost(plain('depot.crate', [1], { width: 8 }))).toBeGreaterThan(1);
    expect(await cost(plain(item, [6, 7], { grade: 'a', level: 4 }))).toBeGreaterThan(1);
    expect(await cost({ ...plain(item, [6], { note: 'dry' }), kwargs: { dry_run: true } })).toBeGreaterThan(1);
    expect(await cost({ ...plain(item, [6], { company_id: null }), by: 'admin' })).toBeGreaterThan(1);
  });

  it('PRF-6 a relation that the caller may choose is set by the same statement', async () => {
    expect(await cost(plain(item, [6], { shelf_id: 1, owner_id: 2 }))).toBe(1);
    expect(await cost(plain(item, [6], { shelf_id: null }))).toBe(1);
    for (const shelf of [2, 3, 4, 999]) {
      expect((await ask(short, people.worker[0], plain(item, [6], { shelf_id: shelf }))).text).toContain('VALIDATION');
    }
  });

  it('PRF-7 the answer to a call with a key is kept by the same statement, and given again', async () => {
    const keyed = { ...fresh, key: 'once' };
    const first = await ask(short, people.worker[0], keyed);
    expect(await ask(short, people.worker[0], keyed)).toEqual(first);
    expect(await cost({ ...fresh, key: 'once more' })).toBe(1);
    expect(await cost({ ...plain(item, [6], { note: 'by key' }), key: 'a write' })).toBe(1);
    expect(await cost({ ...plain(item, [6], { note: 'by key' }), key: 'nothing to write' })).toBe(1);
    expect(
      (await ask(short, people.worker[0], { ...plain(item, [6], { note: 'other' }), key: 'once' })).text,
    ).toContain('CONFLICT');
  });

  it('PRF-7 calls with one key at once make one record, and all get its answer', async () => {
    const keyed = { ...fresh, key: 'together' };
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(short, people.worker[0], keyed)));
    expect(new Set(answers.map(({ text, changeSet }) => `${text} ${changeSet}`)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  async function count(): Promise<number> {
    const [row] = await short.kernel.database.arrays(sql`select count(*)::int4 from depot_item`);
    return row?.[0] as number;
  }
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
  });

  async function newest(db: Queryable): Promise<{ readonly change: number }> {
    const [row] = await db.arrays(sql`select max(id) from sys_change`);
    return { change: row?.[0] as number };
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
    const before = ways.taken();
    expect((await note('a')).text).toBe(okEnvelope('true'));
    expect((await note('b')).text).toBe(okEnvelope('true'));
    expect(ways.taken() - before).toBe(2);
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
    expect(ways.taken() - before).toBe(3);
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
      const answer = await database.transaction(async (tx) => {
        await tx.execute(sql`select id from depot_item where id = 6 for update`);
        let isAnswered = false;
        const waiting = ask(world, people.worker[at] as Actor, plain(item, [6], { note: 'stopped' }));
        void waiting.finally(() => {
          isAnswered = true;
        });
        // Among short changes it is asked again by itself, so it is stopped until it is told.
        const stop = sql`
          select pg_cancel_backend(pid) from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`;
        await expect.poll(async () => (await database.urgent.arrays(stop)) && isAnswered).toBe(true);
        return await waiting;
      });
      return answer.text;
    }),
  );
  expect(answers[0]).toContain('UNAVAILABLE');
  expect(answers[0]).toBe(answers[1]);
});
