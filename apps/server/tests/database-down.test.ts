import { readFileSync } from 'node:fs';
import { createDatabase, type Database, type EmbeddedServer, sql } from '@kontor/database';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { type BuiltServer, startBuiltServer } from './built-server.ts';
import { eventually, openBus } from './bus-socket.ts';
import { dsnOf, openPlace } from './own-cluster.ts';

const admin = { login: 'ada@example.com', password: 'correct horse battery' };
const place = openPlace();
let cluster: EmbeddedServer;
let server: BuiltServer;
let boss: Browser;

beforeAll(async () => {
  cluster = await place.start('a');
  server = await startBuiltServer({ dsn: dsnOf(cluster.connection), env: { KONTOR_DB_ANSWER_SECONDS: '2' } });
  boss = server.browser();
  const setup = { company_name: 'Nordlicht', admin_name: 'Ada', email: admin.login, password: admin.password };
  expect((await boss.json('/setup/init', setup)).status).toBe(200);
  await boss.signIn(admin.login, admin.password);
});
afterAll(async () => {
  await server?.stop();
  await cluster?.stop();
  place.remove();
});

async function metric(browser: Browser, name: string): Promise<string | undefined> {
  const text = await (await browser.get('/metrics')).text();
  return new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
}

const soon = { timeout: 120_000 };
const isReady = async () => (await boss.get('/api/health/ready')).status;

describe('a database that goes away', () => {
  it('GEN-8 OPS-13 callers get UNAVAILABLE, health and metrics answer, and everything works again without a restart', async () => {
    expect(await boss.outcome('core.user', 'search', [])).toBe('OK');
    expect(await metric(boss, 'svc_database_up')).toBe('1');
    await cluster.stop();
    for (const method of ['search', 'create']) {
      const { status, error } = await boss.call({
        model: 'core.partner',
        method,
        args: method === 'search' ? [] : [{ name: 'x' }],
      });
      expect([status, error?.code]).toEqual([503, 'UNAVAILABLE']);
      expect(error?.message).not.toMatch(/ECONN|ENOENT|socket|postgres/i);
    }
    expect((await boss.get('/api/health')).status).toBe(200);
    const ready = await boss.get('/api/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { ok: false, error: { code: 'UNAVAILABLE', details: { missing: ['database'] } } },
    ]);
    const page = await boss.get('/web/home');
    expect([page.status, page.headers.get('content-type')]).toEqual([503, expect.stringContaining('text/html')]);
    expect((await server.browser().json('/web/login', admin)).status).toBe(503);
    // Who was let in lately is still let in, and nobody else.
    expect(await metric(boss, 'svc_database_up')).toBe('0');
    expect((await server.browser().get('/metrics')).status).toBe(401);

    cluster = await place.start('a');
    await expect.poll(() => boss.outcome('core.user', 'search', []), { timeout: 120_000 }).toBe('OK');
    await expect.poll(isReady, soon).toBe(200);
    expect(await boss.outcome('core.partner', 'create', [{ name: 'after' }])).toBe('OK');
    await server.browser().signIn(admin.login, admin.password);
    const database = createDatabase({ connection: cluster.connection, maxConnections: 1, onWarning: () => {} });
    try {
      const kept = () =>
        database.query<{ message: string }>(
          sql`select message from sys_log where message like 'request failed (UNAVAILABLE)%'`,
        );
      await expect.poll(async () => (await kept()).length, { timeout: 120_000 }).toBeGreaterThanOrEqual(3);
    } finally {
      await database.close();
    }
  });
});

/** An event as a process writes it, and the ring that tells of it. */
async function publish(database: Database, channel: string): Promise<void> {
  await database.execute(sql`insert into sys_outbox (channel, payload, xact, create_date)
    values (${channel}, '{}', pg_current_xact_id()::text::numeric, now())`);
  await database.execute(sql`notify kontor`);
}

describe('EVT-10 events over a crash', () => {
  it('EVT-10 what is committed right after the recovery is told, and clients are told to look again', async () => {
    const bus = await openBus(boss);
    const before = createDatabase({ connection: cluster.connection, maxConnections: 1, onWarning: () => {} });
    await publish(before, 'test.before');
    await eventually(() => expect(bus.of('test.before')).toHaveLength(1));
    // Transactions that leave no trace: after the crash their numbers are given again.
    const burn = () => before.transaction((tx) => tx.execute(sql`select pg_current_xact_id()`), { rollback: true });
    for (let count = 0; count < 30; count++) await burn();
    const [asked] = await before.query<{ at: string }>(sql`select clock_timestamp()::text as at`);
    await before.execute(sql`notify kontor`);
    const hasRead = () =>
      before.query(sql`select 1 as found from pg_stat_activity
        where application_name = 'kontor service' and query like '%sys_outbox%' and query_start > ${asked?.at}::timestamptz`);
    await eventually(async () => expect(await hasRead()).toHaveLength(1));

    const restarted = new Promise<void>((resolve) => cluster.onRestart(resolve));
    process.kill(cluster.pid as number, 'SIGKILL');
    await restarted;
    await publish(before, 'test.after');
    await eventually(() => {
      expect(bus.of('bus.gap').length).toBeGreaterThan(0);
      expect(bus.of('test.after')).toHaveLength(1);
    });
    await publish(before, 'test.later');
    await eventually(() => expect(bus.of('test.later')).toHaveLength(1));
    expect([bus.of('test.before').length, bus.of('test.after').length]).toEqual([1, 1]);
    await before.close();
    await bus.close();
  });
});

/** The server and all of its processes. */
function processesOf(postmaster: number): readonly number[] {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim();
  return [postmaster, ...children.split(' ').map(Number)];
}

describe.runIf(process.platform === 'linux')('GEN-11 a database that is frozen', () => {
  long('GEN-11 everybody gets UNAVAILABLE, health answers, and all goes on when it does', async () => {
    const call = { model: 'core.partner', method: 'search', args: [] };
    expect((await boss.call(call)).status).toBe(200);
    const frozen = processesOf(cluster.pid as number);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    try {
      const asked = [boss.call(call), boss.call({ ...call, method: 'create', args: [{ name: 'x' }] })];
      for (const { status, error } of await Promise.all(asked))
        expect([status, error?.code]).toEqual([503, 'UNAVAILABLE']);
      expect((await boss.get('/api/health')).status).toBe(200);
      expect((await boss.get('/api/health/ready')).status).toBe(503);
      expect((await server.browser().json('/web/login', admin)).status).toBe(503);
    } finally {
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
    }
    await expect.poll(() => boss.outcome('core.user', 'search', []), soon).toBe('OK');
    await expect.poll(isReady, soon).toBe(200);
    await expect.poll(() => boss.outcome('core.partner', 'create', [{ name: 'thawed' }]), soon).toBe('OK');
  });
});
