import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { type Database, sql } from '@kontor/database';
import { createTestDatabase, preparedDatabase, type TestDatabase, testAdmin } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { type BuiltServer, failedStart, startBuiltServer, startWithNpm } from './built-server.ts';
import { collect, rawRequest } from './raw-http.ts';

let data: TestDatabase;

type AtEnd = (stop: () => Promise<void>) => void;

/** A server of the test's own, so that several can wait at once. */
async function start(atEnd: AtEnd): Promise<{ server: BuiltServer; boss: Browser }> {
  const server = await startBuiltServer({ dsn: data.dsn });
  atEnd(server.stop);
  return { server, boss: server.browser() };
}
beforeAll(async () => {
  data = await createTestDatabase({ template: await preparedDatabase({}) });
});
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

const isAnswering = ({ url }: BuiltServer) =>
  fetch(`${url}/api/health`).then(
    () => true,
    () => false,
  );

function parseLine(line: string): { readonly msg?: string; readonly durationMs?: number } {
  return line.startsWith('{') ? (JSON.parse(line) as ReturnType<typeof parseLine>) : {};
}

function get(url: string, agent: Agent): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve([response.statusCode, response.headers.connection]));
    })
      .on('error', reject)
      .end();
  });
}

describe('starting and stopping', () => {
  it.for(['SIGTERM', 'SIGINT'] as const)(
    'GEN-10 %s finishes what is in flight, takes nothing new, and exits with 0',
    async (name, { onTestFinished }) => {
      const { server, boss } = await start(onTestFinished);
      await boss.signIn(testAdmin.email, testAdmin.password);
      const id = await boss.rpc<number>('core.partner', 'create', [{ name: 'slow' }]);
      const release = await hold(data.database, id);
      const writing = boss.call({
        model: 'core.partner',
        method: 'write',
        args: [[id], { name: `written at ${name}` }],
      });
      await expect.poll(isWaiting, { timeout: 120_000 }).toBe(true);
      server.signal(name);
      await expect.poll(() => isAnswering(server), { timeout: 120_000 }).toBe(false);
      await release();
      expect(await writing).toMatchObject({ ok: true, status: 200 });
      expect(await server.ended).toBe(0);
      expect(server.lines.join('\n')).not.toContain('still in flight');
      const [row] = await data.database.query<{ name: string }>(sql`select name from core_partner where id = ${id}`);
      expect(row?.name).toBe(`written at ${name}`);
    },
  );

  it.concurrent('GEN-10 does not wait for ever: what is not done in time is cut, all within ten seconds, and the exit code is 0', async ({
    expect,
    onTestFinished,
  }) => {
    const { server, boss } = await start(onTestFinished);
    await boss.signIn(testAdmin.email, testAdmin.password);
    const socket = connect(server.port, '127.0.0.1');
    const headers = {
      host: 'x',
      'content-type': 'application/json',
      cookie: `svc_session=${boss.cookies.get('svc_session')}`,
      'x-csrf-token': boss.csrf,
    };
    const talking = collect(socket, () =>
      socket.write(rawRequest('POST /api/rpc', { ...headers, 'content-length': '100' })),
    );
    await expect.poll(async () => (await fetch(`${server.url}/api/health`)).status).toBe(200);
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    await talking;
    expect(server.lines.join('\n')).toContain('still in flight');
    const stopped = server.lines.map(parseLine).find(({ msg }) => msg === 'stopped');
    expect(stopped?.durationMs).toBeLessThan(10_000);
  });

  it.concurrent('GEN-10 a request that reaches the socket while the server stops is served, and told that it is the last', async ({
    expect,
    onTestFinished,
  }) => {
    const server = await startBuiltServer({ dsn: data.dsn, env: { KONTOR_HTTP_DRAIN_SECONDS: '7' } });
    onTestFinished(server.stop);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    expect(await get(`${server.url}/api/health`, agent)).toEqual([200, 'keep-alive']);
    // Eight clients that ask without a pause, each on a connection of its own, until they are told to leave.
    const clients = Array.from({ length: 8 }, async () => {
      const own = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const [status, connection] = await get(`${server.url}/web/login`, own);
        expect(status).toBe(200);
        if (connection === 'close') return;
      }
    });
    server.signal('SIGTERM');
    await expect
      .poll(async () => (await fetch(`${server.url}/api/health/ready`)).status, { timeout: 120_000 })
      .toBe(503);
    expect(await get(`${server.url}/api/health`, agent)).toEqual([200, 'close']);
    await Promise.all(clients);
    expect(await server.ended).toBe(0);
  });

  it.concurrent('GEN-10 a second signal changes nothing, and connections that only wait hold nobody up', async ({
    expect,
    onTestFinished,
  }) => {
    const { server, boss } = await start(onTestFinished);
    const idle = connect(server.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    await (await boss.get('/api/health')).text();
    server.signal('SIGTERM');
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.lines.join('\n')).not.toContain('still in flight');
    idle.destroy();
  });

  it.concurrent('GEN-8 a start says what is wrong with the database, and nothing of the password', async ({
    expect,
  }) => {
    const { code, text } = await failedStart({ dsn: 'postgres://kontor:hunter2@127.0.0.1:1/kontor' });
    expect(code).toBe(1);
    expect(text).toContain('Kontor cannot start: The database cannot be reached.');
    expect(text).not.toContain('hunter2');
    const url = new URL(data.dsn);
    url.pathname = '/no_such_database';
    const missing = await failedStart({ dsn: url.toString() });
    expect([missing.code, missing.text]).toEqual([1, expect.stringContaining('does not exist')]);
  });

  it.concurrent('GEN-8 a start says so when the port is taken', async ({ expect, onTestFinished }) => {
    const { server } = await start(onTestFinished);
    const { code, text } = await failedStart({ dsn: data.dsn, args: ['-p', String(server.port)] });
    expect([code, text]).toEqual([1, expect.stringContaining('EADDRINUSE')]);
  });

  it.concurrent('GEN-10 a signal to `npm start` ends the server that it started', async ({
    expect,
    onTestFinished,
  }) => {
    const server = await startWithNpm({ dsn: data.dsn });
    onTestFinished(server.stop);
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
    server.signal('SIGTERM');
    await expect.poll(() => isAnswering(server), { timeout: 120_000 }).toBe(false);
    await server.ended;
  });

  it.concurrent('OPS-7 the server stops in order when the npm that started it is killed', async ({
    expect,
    onTestFinished,
  }) => {
    const server = await startWithNpm({ dsn: data.dsn });
    onTestFinished(server.stop);
    server.signal('SIGKILL');
    await expect.poll(() => isAnswering(server), { timeout: 120_000 }).toBe(false);
    await server.ended;
    expect(server.lines.map((line) => parseLine(line).msg)).toContain('stopped');
  });

  it('MOD-2 says which modules to upgrade when the database is older than the code', async () => {
    await data.database.execute(sql`alter table sys_cron drop column priority`);
    const { code, text } = await failedStart({ dsn: data.dsn });
    expect([code, text]).toEqual([1, expect.stringContaining('has no sys.cron.priority. Start once with -u base.')]);
  });
});
