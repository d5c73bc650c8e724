import { sql } from '@kontor/database';
import { workState } from '@kontor/kernel';
import { typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extendChain } from '../audit/chain.ts';
import { dropOldAudit } from '../audit/retention.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
});
afterAll(() => world.close());

const check = (noted_head: string | null = null) =>
  world.work(async (env) => {
    const checks = typedEnv(env).model('sys.audit.check');
    const id = await checks.create({ noted_head });
    const [found] = await checks.read([id], ['state', 'broken_at', 'reason', 'entries', 'head']);
    if (!found) throw new Error('There is no such check.');
    return found;
  });

type Found = Awaited<ReturnType<typeof check>>;

const contact = (name: string) => world.work((env) => env.model('core.partner').create({ name }));
const run = (statement: ReturnType<typeof sql>) => world.kernel.database.execute(statement);
const chain = () => extendChain(world.kernel.database);

/** Does something to the trail by SQL, looks what a check says, and puts it back. */
async function tampered(...statements: ReturnType<typeof sql>[]): Promise<Found> {
  await chain();
  await run(sql`drop table if exists kept_audit`);
  await run(sql`create table kept_audit as select * from sys_audit`);
  for (const statement of statements) await run(statement);
  const found = await check();
  await run(sql`delete from sys_audit where id in (select id from kept_audit)`);
  await run(sql`insert into sys_audit select * from kept_audit`);
  return found;
}

describe('the chain', () => {
  it('AUD-1 has every change with who, when and from where, in order, and each entry once', async () => {
    const { result: id } = await world.kernel.transact(
      world.admin,
      async (env) => {
        const made = await env.model('core.partner').create({ name: 'Ada', email: 'ada@example.com' });
        await env.model('core.partner').write([made], { name: 'Ada L.' });
        return made;
      },
      { requestId: 'r-1', address: '10.1.2.3', via: 'session 4' },
    );
    await Promise.all([chain(), chain(), contact('Meanwhile'), chain()]);
    await chain();
    const rows = await world.kernel.read(world.admin, (env) =>
      env.model('sys.audit').searchRead(
        [
          ['model', '=', 'core.partner'],
          ['res_id', '=', id],
        ],
        ['kind', 'who', 'uid', 'address', 'via', 'request_id', 'values'],
        { order: 'seq' },
      ),
    );
    expect(rows.map((row) => row.kind)).toEqual(['create', 'write']);
    expect(rows[1]).toMatchObject({
      ...{ uid: 1, address: '10.1.2.3', via: 'session 4', request_id: 'r-1' },
      who: expect.stringMatching(/<.+@.+>$/),
      values: { name: { old: 'Ada', new: 'Ada L.' } },
    });
    const [sums] = await world.kernel.database.query(sql`
      select count(*)::int4 as entries, count(distinct seq)::int4 as places, max(seq) as last from sys_audit`);
    expect([sums?.places, sums?.last]).toEqual([sums?.entries, sums?.entries]);
    expect(await check()).toMatchObject({ state: 'whole', broken_at: null });
  });

  it('AUD-1 changes of many at once are all in it', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, at) => contact(`Many ${at}`)));
    await Promise.all([chain(), chain()]);
    const found = await world.kernel.read(world.admin, (env) =>
      env.model('sys.audit').search([
        ['kind', '=', 'create'],
        ['model', '=', 'core.partner'],
      ]),
    );
    expect(found.length).toBeGreaterThanOrEqual(14);
    expect((await check()).state).toBe('whole');
  });

  it('AUD-2 tells the first link that was changed, taken out, put in, emptied or cut off', async () => {
    for (let at = 0; at < 5; at++) await contact(`Link ${at}`);
    const { head } = await check();
    expect(await tampered(sql`update sys_audit set who = 'Somebody else' where seq = 2`)).toMatchObject({
      ...{ state: 'broken', broken_at: 2, reason: 'The entry was changed.' },
    });
    expect(await tampered(sql`update sys_audit set at = at - interval '1 day' where seq = 3`)).toMatchObject({
      broken_at: 3,
    });
    expect(await tampered(sql`update sys_audit set values = '{"name": 1}' where seq = 3`)).toMatchObject({
      ...{ broken_at: 3, reason: 'The values of the entry were changed.' },
    });
    expect(await tampered(sql`update sys_audit set values = null where seq = 4`)).toMatchObject({ broken_at: 4 });
    expect(await tampered(sql`delete from sys_audit where seq = 2`)).toMatchObject({
      ...{ broken_at: 2, reason: 'The entry is gone.' },
    });
    expect(
      await tampered(
        sql`delete from sys_audit where seq = 2`,
        sql`update sys_audit set seq = -seq where seq > 2`,
        sql`update sys_audit set seq = -seq - 1 where seq < 0`,
      ),
    ).toMatchObject({ broken_at: 2, reason: 'The entry was changed.' });
    expect((await check(head)).state).toBe('whole');
    expect(await tampered(sql`delete from sys_audit where seq = (select max(seq) from sys_audit)`)).toMatchObject({
      ...{ state: 'broken', reason: 'The entries from here to the end are gone.' },
    });
    expect(await check(head?.replace(/.$/, (end) => (end === '0' ? '1' : '0')))).toMatchObject({
      reason: 'The chain was rebuilt after the head was noted.',
    });
    expect((await check()).state).toBe('whole');
  });
});

describe('who may', () => {
  it('AUD-3 nobody writes or deletes it, not even the server by way of records; auditors and administrators read', async () => {
    const message = 'Only the server writes the audit trail; nobody can change it.';
    const [id] = await world.kernel.read(world.admin, (env) => env.model('sys.audit').search([], { limit: 1 }));
    const denied = expect.objectContaining({ code: 'ACCESS_DENIED' });
    await expect(world.work((env) => env.model('sys.audit').write([id as number], { who: 'x' }))).rejects.toEqual(
      denied,
    );
    await expect(world.work((env) => env.model('sys.audit').unlink([id as number]))).rejects.toEqual(denied);
    for (const name of ['sys.audit', 'sys.audit.segment']) {
      const [one] = await world.kernel.read(world.admin, (env) => env.model(name).search([], { limit: 1 }));
      await expect(
        world.work((env) =>
          env
            .sudo()
            .model(name)
            .unlink([one as number]),
        ),
      ).rejects.toThrow(message);
      await expect(
        world.work((env) =>
          env
            .sudo()
            .model(name)
            .copy(one as number),
        ),
      ).rejects.toThrow(message);
    }
    const auditor = await world.person('Audrey Auditor', ['base.group_auditor']);
    const user = await world.person('Ulla User');
    const read = (actor: typeof auditor) => world.kernel.read(actor, (env) => env.model('sys.audit').search([]));
    expect((await read(auditor)).length).toBeGreaterThan(0);
    await expect(read(user)).rejects.toEqual(denied);
    await expect(world.work((env) => env.model('sys.audit.check').create({}), user)).rejects.toEqual(denied);
    const checked = world.work((env) => env.model('sys.audit.check').create({}), auditor);
    expect(await checked).toBeGreaterThan(0);
  });
});

describe('retention', () => {
  it('AUD-4 PRF-20 drops the oldest month as a whole, and the chain is whole from there on', async () => {
    await contact('Before');
    await chain();
    const [old] = await world.kernel.database.query<{ last_seq: number }>(sql`
      select last_seq from sys_audit_segment order by last_seq desc limit 1`);
    // What was written so far belongs to a month long ago: made anew as such, as the clock then would have it.
    await run(sql`delete from sys_audit_segment`);
    await run(sql`update sys_audit set seq = null, hash = null, segment = null`);
    await run(sql`
      insert into sys_audit_segment (name, first_seq, last_seq, last_hash) values ('2020-01', 1, ${old?.last_seq ?? 0}::int4, ${'a'.repeat(64)})`);
    await run(sql`update sys_audit set seq = id + 1000000, segment = '2020-01' where seq is null`);
    await run(
      sql`update sys_audit set seq = ranked.at from (select id, row_number() over (order by id)::int4 as at from sys_audit) as ranked where ranked.id = sys_audit.id`,
    );
    await contact('After');
    await chain();
    expect(await check()).toMatchObject({ state: 'broken', broken_at: 1 });
    const stopped = new AbortController();
    const database = Object.create(world.kernel.database, {
      execute: { value: () => stopped.abort() },
    }) as typeof world.kernel.database;
    await dropOldAudit.runAsSystem(Object.create(world.kernel, { database: { value: database } }), stopped.signal);
    const rest = sql`select count(*)::int4 as rows from sys_audit where segment = '2020-01'`;
    // Stopped before its rows were gone, the month is dropped all the same.
    expect(await world.kernel.database.query(rest)).toEqual([{ rows: old?.last_seq }]);
    expect(await check()).toMatchObject({ state: 'whole' });
    await dropOldAudit.runAsSystem(world.kernel, new AbortController().signal);
    expect(await world.kernel.database.query(rest)).toEqual([{ rows: 0 }]);
    const found = await check();
    expect(found).toMatchObject({ state: 'whole' });
    const [kept] = await world.kernel.database.query(sql`
      select min(seq) as first, count(*) filter (where kind = 'retention')::int4 as told from sys_audit where seq is not null`);
    expect(kept).toEqual({ first: (old?.last_seq ?? 0) + 1, told: 1 });
    expect(await tampered(sql`delete from sys_audit where seq = ${(old?.last_seq ?? 0) + 1}::int4`)).toMatchObject({
      ...{ state: 'broken', broken_at: (old?.last_seq ?? 0) + 1 },
    });
  });
});

describe('a set of very many changes', () => {
  it('AUD-1 is in it as a whole, in order, between those before and after', async () => {
    await contact('Before many');
    await run(sql`
      with made as (
        insert into sys_change_set (uid, reverted, is_final, create_date) values (1, false, true, now()) returning id)
      insert into sys_change (set_id, model, res_id, operation, values, xact)
      select made.id, 'core.country', n, 'write', jsonb_build_object('name', n), pg_current_xact_id()::text::numeric from made, generate_series(1, 5001) as n`);
    await contact('After many');
    await chain();
    const found = await world.kernel.database.query(sql`
      select kind, model, min(res_id) as first, max(res_id) as last, count(*)::int4 as entries
      from (select *, seq - row_number() over (partition by model order by seq) as run from sys_audit where set_id >= (
        select set_id from sys_audit where model = 'core.country' and res_id = 5001)) as since
      group by kind, model, run order by min(seq)`);
    expect(found.filter(({ model }) => model === 'core.country')).toEqual([
      { kind: 'write', model: 'core.country', first: 1, last: 5001, entries: 5001 },
    ]);
    expect(await check()).toMatchObject({ state: 'whole' });
  });
});

describe('the place in the change log', () => {
  const entriesOf = async (name: string) => {
    const rows = await world.kernel.database.query(sql`
      select a.id from sys_audit a where a.model = 'core.partner' and a.values -> 'name' ->> 'new' = ${name}`);
    return rows.length;
  };
  const forget = sql`update sys_audit_segment set cursor = null`;

  it('AUD-1 a change that was committed late is in it once, after those that were committed before', async () => {
    let finish = () => {};
    let begun = () => {};
    const mayFinish = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const late = world.work(async (env) => {
      await env.model('core.partner').create({ name: 'Committed late' });
      await workState(env.work)?.keepSoFar();
      begun();
      await mayFinish;
    });
    await hasBegun;
    await contact('Committed early');
    await chain();
    expect([await entriesOf('Committed early'), await entriesOf('Committed late')]).toEqual([1, 0]);
    finish();
    await late;
    await chain();
    await chain();
    expect([await entriesOf('Committed early'), await entriesOf('Committed late')]).toEqual([1, 1]);
    expect(await check()).toMatchObject({ state: 'whole' });
  });

  it('AUD-1 without a place, as after an upgrade, and in another history, sets without an entry are found, each once', async () => {
    await contact('Before the upgrade');
    await chain();
    await contact('Waits for the upgrade');
    await run(
      sql`update sys_change_set set is_chained = (id in (select set_id from sys_audit where set_id is not null))`,
    );
    await run(forget);
    await contact('After the upgrade');
    await chain();
    await run(sql`update sys_audit_segment set cursor = regexp_replace(cursor, '^[0-9a-f]+', '000000000000')`);
    await contact('In another history');
    await chain();
    await contact('Later');
    await chain();
    const names = ['Before the upgrade', 'Waits for the upgrade', 'After the upgrade', 'In another history', 'Later'];
    expect(await Promise.all(names.map(entriesOf))).toEqual([1, 1, 1, 1, 1]);
    expect(await check()).toMatchObject({ state: 'whole' });
  });

  it('AUD-1 costs change sets no second version', async () => {
    await contact('Written once');
    await chain();
    const [row] = await world.kernel.database.query(sql`
      select count(*)::int4 as rows, count(*) filter (where xmax <> 0)::int4 as updated from (
        select xmax::text::int8 as xmax from sys_change_set order by id desc limit 1) as last`);
    expect(row).toEqual({ rows: 1, updated: 0 });
  });
});
