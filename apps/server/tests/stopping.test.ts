import { connect } from 'node:net';
import { type Database, sql } from '@kontor/database';
import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { type BuiltServer, failedStart, startBuiltServer } from './built-server.ts';
import { collect, rawRequest } from './raw-http.ts';

const admin = { login: 'ada@example.com', password: 'correct horse battery' };
let data: TestDatabase;
let server: BuiltServer;
let boss: Browser;

async function start(): Promise<void> {
  server = await startBuiltServer({ dsn: data.dsn });
  boss = server.browser();
}
beforeAll(async () => {
  data = await createTestDatabase();
  await start();
  const setup = { company_name: 'Nordlicht', admin_name: 'Ada', email: admin.login, password: admin.password };
  expect((await boss.json('/setup/init', setup)).status).toBe(200);
  await server.stop();
}, 120_000);
afterEach(() => server?.stop());
afterAll(() => data?.drop());

/** Holds a record so that a write to it waits, until it is let go. */
async function hold(database: Database, id: number): Promise<() => Promise<void>> {
  let letGo = (): void => {};
  const wait = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isHeld = (): void => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const holding = database.transaction(async (tx) => {
    await tx.execute(sql`select 1 from core_partner where id = ${id} for update`);
    isHeld();
    await wait;
  });
  await held;
  return async () => {
    letGo();
    await holding;
  };
}

const isWaiting = async () =>
  (
    await data.database.query(
      sql`select 1 as found from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
  ).length > 0;

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'GEN-10 %s finishes what is in flight, takes nothing new, and exits with 0',
    async (name) => {
      await start();
      await boss.signIn(admin.login, admin.password);
      const id = await boss.rpc<number>('core.partner', 'create', [{ name: 'slow' }]);
      const release = await hold(data.database, id);
      const writing = boss.call({
        model: 'core.partner',
        method: 'write',
        args: [[id], { name: `written at ${name}` }],
      });
      await expect.poll(isWaiting, { timeout: 8_000 }).toBe(true);
      server.signal(name);
      await expect
        .poll(
          () =>
            fetch(`${server.url}/api/health`).then(
              () => 'answered',
              () => 'refused',
            ),
          { timeout: 8_000 },
        )
        .toBe('refused');
      await release();
      expect(await writing).toMatchObject({ ok: true, status: 200 });
      expect(await server.ended).toBe(0);
      const [row] = await data.database.query<{ name: string }>(sql`select name from core_partner where id = ${id}`);
      expect(row?.name).toBe(`written at ${name}`);
    },
  );

  it('GEN-10 does not wait for ever: what is not done after ten seconds is cut, and the exit code is 0', async () => {
    await start();
    await boss.signIn(admin.login, admin.password);
    const socket = connect(server.port, '127.0.0.1');
    const headers = {
      host: 'x',
      'content-type': 'application/json',
      cookie: `svc_session=${boss.cookies.get('svc_session')}`,
      'x-csrf-token': boss.csrf,
    };
    const talking = collect(
      socket,
      () => socket.write(rawRequest('POST /api/rpc', { ...headers, 'content-length': '100' })),
      30_000,
    );
    await expect.poll(async () => (await fetch(`${server.url}/api/health`)).status).toBe(200);
    const began = performance.now();
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    await talking;
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(8_000);
    expect(took).toBeLessThan(30_000);
  }, 60_000);

  it('GEN-10 a second signal changes nothing, and connections that only wait hold nobody up', async () => {
    await start();
    const idle = connect(server.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    await (await boss.get('/api/health')).text();
    const began = performance.now();
    server.signal('SIGTERM');
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(20_000);
    idle.destroy();
  });
});

describe('a start that cannot go on', () => {
  it('GEN-8 says what is wrong with the database, and nothing of the password', async () => {
    const { code, text } = await failedStart({ dsn: 'postgres://kontor:hunter2@127.0.0.1:1/kontor' });
    expect(code).toBe(1);
    expect(text).toContain('Kontor cannot start: The database cannot be reached.');
    expect(text).not.toContain('hunter2');
    const url = new URL(data.dsn);
    url.pathname = '/no_such_database';
    const missing = await failedStart({ dsn: url.toString() });
    expect([missing.code, missing.text]).toEqual([1, expect.stringContaining('does not exist')]);
  });

  it('GEN-8 says so when the port is taken', async () => {
    await start();
    const { code, text } = await failedStart({ dsn: data.dsn, args: ['-p', String(server.port)] });
    expect([code, text]).toEqual([1, expect.stringContaining('EADDRINUSE')]);
  });

  it('MOD-2 says which modules to upgrade when the database is older than the code', async () => {
    await data.database.execute(sql`alter table sys_cron drop column priority`);
    const { code, text } = await failedStart({ dsn: data.dsn });
    expect([code, text]).toEqual([1, expect.stringContaining('has no sys.cron.priority. Start once with -u base.')]);
  });
});
