import { sql } from '@kontor/database';
import { countStatements } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventsPart } from '../events/part.ts';
import { deleteOld } from '../jobs/delete-old.ts';
import { type JobWorld, jobWorld } from './jobs-world.ts';

let world: JobWorld;
beforeAll(async () => {
  world = await jobWorld();
});
afterAll(() => world.close());

const waiting = { timeout: 120_000, interval: 20 };
const runsOf = (id: number) =>
  world.work((env) => env.model('sys.cron.run').searchRead([['cron_id', '=', id]], ['state', 'error', 'process']));
const runNow = (id: number) => world.work((env) => env.model('sys.cron').call([id], 'run_now'));

let quickJobs = 0;
/**
 * Waits until either of two workers has taken a job that is less urgent than whatever is due now. Whoever has a few in hand takes
 * no more, so that it is the other one's turn.
 */
async function bothLooked(): Promise<void> {
  const takers = new Set<unknown>();
  const ids: number[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  while (takers.size < 2) {
    const id = await world.job({ name: `quick_${quickJobs++}`, runInSteps: () => held }, { priority: 90 });
    ids.push(id);
    await vi.waitFor(async () => expect(await runsOf(id)).toHaveLength(1), waiting);
    for (const { process } of await runsOf(id)) takers.add(process);
  }
  release();
  for (const id of ids) await vi.waitFor(async () => expect((await world.cron(id)).last_call).not.toBeNull(), waiting);
}

describe('CRN-1 one at a time', () => {
  it('CRN-1 runs what is due once, in the system’s name, and writes down when the next time is', async () => {
    const before = Date.now();
    const id = await world.job({
      name: 'make_partner',
      run: async ({ env }) => {
        expect(env.uid).toBe(0);
        await env.model('core.partner').create({ name: 'Made by a job' });
      },
    });
    world.worker('one');
    world.worker('two');
    await vi.waitFor(async () => expect((await world.cron(id)).last_call).not.toBeNull(), waiting);
    const { next_call: next, last_error: error, failures, locked_by: lockedBy } = await world.cron(id);
    expect({ error, failures, lockedBy }).toEqual({ error: null, failures: 0, lockedBy: null });
    expect(Date.parse(String(next)) - before).toBeGreaterThan(86_000_000);
    expect(await runsOf(id)).toHaveLength(1);
    expect(await world.work((env) => env.model('core.partner').count([['name', '=', 'Made by a job']]))).toBe(1);
  });

  it('CRN-1 a long one is not started twice, though its lease is extended only now and then', async () => {
    let inside = 0;
    let most = 0;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const id = await world.job({
      name: 'long',
      runInSteps: async () => {
        most = Math.max(most, ++inside);
        await held;
        inside--;
      },
    });
    world.worker('one');
    world.worker('two');
    await vi.waitFor(() => expect(inside).toBe(1), waiting);
    // As if the process had been asleep for longer than its lease: the lock still holds.
    await world.kernel.database.execute(
      sql`update sys_cron set locked_until = now() - interval '1 minute' where id = ${id}`,
    );
    await bothLooked();
    expect({ inside, most }).toEqual({ inside: 1, most: 1 });
    release();
    await vi.waitFor(async () => expect((await world.cron(id)).last_call).not.toBeNull(), waiting);
    expect(most).toBe(1);
  });

  it('CRN-1 one whose process died is begun again, and counted; it is paused when that goes on', async () => {
    let count = 0;
    const id = await world.job({
      name: 'orphan',
      run: async () => {
        count++;
      },
    });
    await world.kernel.database.execute(sql`
      update sys_cron set locked_by = 'dead', locked_until = now() - interval '1 second' where id = ${id}`);
    await world.kernel.database.execute(sql`
      insert into sys_cron_run (cron_id, state, started_at, create_date) values (${id}, 'running', now(), now())`);
    world.worker('one');
    await vi.waitFor(() => expect(count).toBe(1), waiting);
    await vi.waitFor(async () => expect((await runsOf(id)).map((run) => run.state)).toEqual(['done', 'lost']), waiting);
    await world.kernel.database.execute(sql`
      update sys_cron set locked_by = 'dead', locked_until = now() - interval '1 second', next_call = now(), failures = 4
      where id = ${id}`);
    await vi.waitFor(async () => expect(await world.cron(id)).toMatchObject({ active: false, failures: 5 }), waiting);
    expect(count).toBe(1);
  });
});

describe('CRN-3 failures', () => {
  it('CRN-3 are kept and backed off; after five the job is paused and administrators are told', async () => {
    const heard: unknown[] = [];
    const stop = await world.kernel.service(eventsPart).subscribe((events) => heard.push(...events));
    const id = await world.job({
      name: 'broken',
      run: async () => {
        throw new Error('The shelf is empty.');
      },
    });
    world.worker('one');
    for (let failures = 1; failures <= 5; failures++) {
      await vi.waitFor(async () => expect(await world.cron(id)).toMatchObject({ failures }), waiting);
      const row = await world.cron(id);
      expect(row.last_error).toBe('The shelf is empty.');
      expect(row.active).toBe(failures < 5);
      if (failures === 5) break;
      const delay = Date.parse(String(row.run_at)) - Date.parse(String(row.last_call));
      expect(Math.round(delay / 60_000)).toBe(2 ** (failures - 1));
      await world.kernel.database.execute(sql`update sys_cron set run_at = now() where id = ${id}`);
    }
    await vi.waitFor(
      () => expect(heard).toContainEqual(expect.objectContaining({ channel: 'notify', userId: 1 })),
      waiting,
    );
    stop();
    await world.work((env) => env.model('sys.cron').write([id], { active: true }));
    expect(await world.cron(id)).toMatchObject({ failures: 0, run_at: null });
    await world.work((env) => env.model('sys.cron').write([id], { active: false }));
  });

  it('CRN-3 a job that does not exist fails with its name', async () => {
    const id = await world.job({ name: 'known', run: async () => {} }, { handler: 'base.unknown' });
    world.worker('one');
    await vi.waitFor(
      async () => expect((await world.cron(id)).last_error).toBe('The module base has no job "unknown".'),
      waiting,
    );
    await world.work((env) => env.model('sys.cron').unlink([id]));
  });
});

describe('CRN-4 run now', () => {
  it('CRN-4 runs a paused job within a second or so and leaves its schedule alone', async () => {
    let count = 0;
    const next = '2040-01-01T00:00:00.000Z';
    const job = { name: 'on_demand', run: async () => void count++ };
    const id = await world.job(job, { active: false, next_call: next });
    world.worker('one');
    await runNow(id);
    await vi.waitFor(() => expect(count).toBe(1), waiting);
    await vi.waitFor(
      async () => expect(await world.cron(id)).toMatchObject({ run_at: null, locked_by: null }),
      waiting,
    );
    expect(await world.cron(id)).toMatchObject({ active: false, next_call: next });
  });

  it('CRN-4 is for administrators', async () => {
    const person = await world.person('Piet');
    const id = await world.job({ name: 'closed', run: async () => {} }, { active: false });
    await expect(world.work((env) => env.model('sys.cron').call([id], 'run_now'), person)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
  });
});

describe('CRN-5 order and stopping', () => {
  it('CRN-5 the smallest priority goes first, and jobs of modules that are not active wait', async () => {
    const order: string[] = [];
    const spec = (name: string) => ({ name, run: async () => void order.push(name) });
    await world.job(spec('later'), { priority: 90, active: false });
    await world.job(spec('sooner'), { priority: 1, active: false });
    const other = await world.job(spec('elsewhere'), { handler: 'absent.elsewhere' });
    await world.kernel.database.execute(sql`
      update sys_cron set active = true, next_call = now() where name in ('later', 'sooner')`);
    world.worker('one', { mostAtOnce: 1 });
    await vi.waitFor(() => expect(order).toHaveLength(2), waiting);
    expect(order).toEqual(['sooner', 'later']);
    expect(await world.cron(other)).toMatchObject({ last_call: null });
  });

  it('CRN-5 a stop waits for what is in hand, and long jobs are told to end', async () => {
    let ended = false;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const told = vi.fn();
    await world.job({
      name: 'patient',
      runInSteps: async ({ signal }) => {
        signal.addEventListener('abort', told);
        await held;
        ended = true;
      },
    });
    const worker = world.worker('one');
    await vi.waitFor(
      async () => expect(await world.work((env) => env.model('sys.cron').count([['locked_by', '=', 'one']]))).toBe(1),
      waiting,
    );
    const stopped = vi.fn();
    const stopping = worker.stop().then(stopped);
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce(), waiting);
    expect(stopped).not.toHaveBeenCalled();
    release();
    await stopping;
    expect(ended).toBe(true);
    expect(await world.work((env) => env.model('sys.cron').count([['locked_by', '=', 'one']]))).toBe(0);
  });

  it('CRN-7 a job that a stop cut is begun again only after its transaction has ended, and its further steps are refused', async () => {
    const { database } = world.kernel;
    let begun = 0;
    let second: unknown;
    const id = await world.job({
      name: 'cut',
      runInSteps: async ({ step }) => {
        const isFirst = ++begun === 1;
        // Its connection is gone, but the database is still at it.
        if (isFirst) await step((env) => env.db.execute(sql`select pg_advisory_xact_lock(77)`)).catch(() => {});
        await step(async () => {}).catch((error: unknown) => {
          second = error;
          throw error;
        });
      },
    });
    const isWaiting = () =>
      database.query(sql`select 1 as found from pg_stat_activity
        where datname = current_database() and wait_event = 'advisory' and query like '%pg_advisory_xact_lock(77)%'`);
    await database.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(77)`);
      const first = world.worker('one', { stopMs: 0 });
      await vi.waitFor(async () => expect(await isWaiting()).toHaveLength(1), waiting);
      await first.stop();
      await vi.waitFor(() => expect(second).toEqual(new Error('The server is stopping.')), waiting);
      expect(await world.cron(id)).toMatchObject({ locked_by: null });
      world.worker('two');
      world.worker('three');
      await bothLooked();
      expect(await isWaiting()).toHaveLength(1);
      expect(begun).toBe(1);
    });
    await vi.waitFor(() => expect(begun).toBe(2), waiting);
    await vi.waitFor(async () => expect((await runsOf(id)).map((run) => run.state)).toEqual(['done', 'lost']), waiting);
  });

  it('CRN-7 a step of a run that another process took over is refused', async () => {
    const { database } = world.kernel;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let refused: unknown;
    const isHeld = vi.fn();
    await world.job({
      name: 'overtaken',
      runInSteps: async ({ step }) => {
        isHeld();
        await held;
        await step(async () => {}).catch((error: unknown) => {
          refused = error;
        });
      },
    });
    world.worker('one');
    await vi.waitFor(() => expect(isHeld).toHaveBeenCalledOnce(), waiting);
    await database.execute(sql`update sys_cron_run set state = 'lost' where state = 'running'`);
    release();
    await vi.waitFor(() => expect(refused).toEqual(new Error('Another process has begun this job.')), waiting);
  });
});

describe('CRN-6 what ships', () => {
  it('CRN-6 refuses schedules that cannot be, with a message at the field', async () => {
    const values = { name: 'x', handler: 'base.clean_events' };
    const make = (more: object) => world.work((env) => env.model('sys.cron').create({ ...values, ...more }));
    await expect(make({ expression: 'often' })).rejects.toMatchObject({
      details: { fields: { expression: [expect.any(String)] } },
    });
    await expect(make({ timezone: 'Mars/Base' })).rejects.toMatchObject({
      details: { fields: { timezone: [expect.any(String)] } },
    });
    await expect(make({ handler: 'nothing' })).rejects.toMatchObject({
      details: { fields: { handler: [expect.any(String)] } },
    });
    const id = await make({ expression: '0 4 * * *', timezone: 'Asia/Tokyo', active: false });
    expect((await world.cron(id)).next_call).toMatch(/T19:00:00.000Z$/);
  });

  it('CRN-6 a job waits for its expression in a form too, and for a new one when it changes, unless somebody says when', async () => {
    const cron = { name: 'Nightly', handler: 'base.clean_events', expression: '0 4 * * *', timezone: 'Asia/Tokyo' };
    const { value } = await world.work((env) => env.model('sys.cron').onchange(cron, ['expression', 'timezone']));
    expect(value.next_call).toMatch(/T19:00:00.000Z$/);
    const id = await world.work((env) => env.model('sys.cron').create({ ...cron, active: false }));
    const write = (values: Record<string, unknown>) => world.work((env) => env.model('sys.cron').write([id], values));
    await write({ expression: '30 4 * * *' });
    expect((await world.cron(id)).next_call).toMatch(/T19:30:00.000Z$/);
    await write({ timezone: 'UTC', next_call: '2030-01-01T00:00:00.000Z' });
    expect((await world.cron(id)).next_call).toBe('2030-01-01T00:00:00.000Z');
    await write({ expression: null });
    expect((await world.cron(id)).next_call).toBe('2030-01-01T00:00:00.000Z');
  });

  it('CRN-6 the shipped jobs clean up what is old and keep what is not', async () => {
    const { database } = world.kernel;
    await database.execute(sql`
      insert into sys_outbox (channel, payload, xact, create_date)
      values ('old.event', '{}', 1, now() - interval '2 hours'), ('new.event', '{}', 1, now())`);
    await database.execute(sql`
      insert into sys_log (at, level, message, create_date)
      values (now() - interval '40 days', 'warn', 'old', now()), (now(), 'warn', 'new', now())`);
    await database.execute(sql`
      with made as (
        insert into sys_change_set (create_date) values (now() - interval '90 days'), (now()) returning id, create_date)
      insert into sys_change (set_id, model, res_id, operation, values, create_date)
      select id, 'test.kept', 1, 'write', '{}', create_date from made`);
    await database.execute(sql`
      insert into sys_session (user_id, token_hash, started_at, last_seen_at, create_date)
      values (1, 'expired', now() - interval '30 days', now() - interval '30 days', now())`);
    await database.execute(sql`
      update sys_cron set run_at = now() where handler in
        ('base.clean_events', 'base.clean_logs', 'base.clean_changes', 'base.clean_sessions', 'base.run_automations')`);
    world.worker('one');
    await vi.waitFor(async () => {
      const [left] = await database.query<{ waiting: number }>(
        sql`select count(*)::int4 as waiting from sys_cron where run_at is not null`,
      );
      expect(left?.waiting).toBe(0);
    }, waiting);
    const [found] = await database.query(sql`
      select (select string_agg(channel, ',') from sys_outbox where channel like '%.event') as events,
        (select string_agg(message, ',') from sys_log) as logs,
        (select count(*)::int4 from sys_change_set where create_date < now() - interval '60 days') as sets,
        (select string_agg((set_id = (select max(id) from sys_change_set))::text, ',') from sys_change where model = 'test.kept') as changes,
        (select count(*)::int4 from sys_session where token_hash = 'expired') as sessions,
        (select string_agg(last_error, ',') from sys_cron where handler like 'base.clean_%') as errors`);
    expect(found).toEqual({ events: 'new.event', logs: 'new', sets: 0, changes: 'true', sessions: 0, errors: null });
  });
});

describe('PRF-20 what has had its time', () => {
  const old = { model: 'sys.outbox', column: 'create_date', age: '1 hour' };
  const events = (channel: string, count: number, age: string) =>
    world.kernel.database.execute(sql`
      insert into sys_outbox (channel, payload, xact, create_date)
      select ${channel}, '{}', 1, now() - ${age}::interval from generate_series(1, ${count}::int4)`);
  const left = async () => {
    const [row] = await world.kernel.database.query<{ text: string | null }>(
      sql`select string_agg(distinct channel, ',' order by channel) as text from sys_outbox where channel like 'prf.%'`,
    );
    return row?.text;
  };
  const { signal } = new AbortController();

  it('PRF-20 goes from the oldest on, as many statements as there are batches, and stops before what is young', async () => {
    const { database } = world.kernel;
    await database.execute(sql`delete from sys_outbox`);
    await events('prf.old', 21, '2 hours');
    await events('prf.young', 25, '1 minute');
    await events('prf.late', 1, '2 hours');
    let gone = 0;
    const statements = await countStatements(async () => {
      gone = await deleteOld(world.kernel, old, signal, 10);
    });
    // Two whole batches, one with a single old row, and one that is young.
    expect({ gone, statements }).toEqual({ gone: 21, statements: 4 });
    expect(await left()).toBe('prf.late,prf.young');
    await database.execute(sql`delete from sys_outbox where channel = 'prf.young'`);
    expect(await deleteOld(world.kernel, old, signal)).toBe(1);
  });

  it('PRF-20 waits for nobody: a row that is locked goes with the next run', async () => {
    await events('prf.held', 3, '2 hours');
    await world.kernel.database.transaction(async (tx) => {
      await tx.execute(sql`select from sys_outbox where channel = 'prf.held' order by id limit 1 for update`);
      expect(await deleteOld(world.kernel, old, signal)).toBe(2);
    });
    expect(await deleteOld(world.kernel, old, signal)).toBe(1);
    expect(await left()).toBeNull();
  });
});
