import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, isLong, preparedDatabase, type TestDatabase, testAdmin } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Browser } from './browser.ts';
import { type BuiltServer, failedStart, runBuilt, startBuiltServer } from './built-server.ts';

let data: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), 'kontor-workers-'));
const soon = { timeout: 120_000 };

beforeAll(async () => {
  data = await createTestDatabase({ template: await preparedDatabase({}) });
});
afterAll(async () => {
  await data?.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(dsn: string, env: Record<string, string>): Promise<BuiltServer> {
  const server = await startBuiltServer({ dsn, env });
  onTestFinished(server.stop);
  return server;
}

/** Processes that another one started. */
function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

const workersOf = (server: BuiltServer) =>
  childrenOf(server.pid).filter((pid) => commandOf(pid).includes('start-built'));
const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A request on a connection of its own, so that any worker may get it; the status. */
function ask({ port }: BuiltServer, path: string, body?: object, browser?: Browser): Promise<number | undefined> {
  const cookies = [...(browser?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = browser ? { cookie: cookies, 'x-csrf-token': browser.csrf, 'content-type': 'application/json' } : {};
  return new Promise((resolve, reject) => {
    const method = body ? 'POST' : 'GET';
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    sent.once('error', reject).end(body ? JSON.stringify(body) : undefined);
  });
}

async function metric(browser: Browser, line: string): Promise<number> {
  const text = await (await browser.get('/metrics')).text();
  return Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.split(' ')[1] ?? Number.NaN,
  );
}

const linesOf = (file: string) => {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as { readonly pid: number; readonly msg: string });
};

describe('several workers', () => {
  it('GEN-16 serve at one address, are counted together, replaced when they die, and stop together', async () => {
    const file = join(folder, 'kontor.log');
    const server = await start(data.dsn, { KONTOR_WORKERS: '3', KONTOR_LOG_FILE: file });
    const boss = server.browser();
    await boss.signIn(testAdmin.email, testAdmin.password);
    const first = workersOf(server);
    expect(first).toHaveLength(3);

    const health = 'svc_http_requests_total{route="/api/health",status="200"}';
    await metric(boss, health);
    for (let count = 0; count < 30; count++) expect(await ask(server, '/api/health')).toBe(200);
    expect(await metric(boss, health)).toBe(30);
    expect(await metric(boss, 'svc_workers')).toBe(3);
    const served = () => new Set(linesOf(file).flatMap(({ pid, msg }) => (msg === 'request' ? [pid] : [])));
    await expect.poll(() => served().size, soon).toBe(3);

    process.kill(first[0] as number, 'SIGKILL');
    await expect.poll(() => workersOf(server).filter((pid) => !first.includes(pid)).length, soon).toBe(1);
    for (let count = 0; count < 10; count++) expect(await ask(server, '/api/health')).toBe(200);
    const again = server.browser();
    await again.signIn(testAdmin.email, testAdmin.password);
    expect(await metric(again, 'svc_worker_restarts_total')).toBe(1);

    // What one of them installs all of them serve.
    const products = { model: 'product.product', method: 'search', args: [[]] };
    expect(await ask(server, '/web/module/action', { do: 'install', module: 'product' }, again)).toBe(200);
    const asked = () => Promise.all(Array.from({ length: 9 }, () => ask(server, '/api/rpc', products, again)));
    await expect.poll(asked, soon).toEqual(Array.from({ length: 9 }, () => 200));

    const workers = workersOf(server);
    renameSync(file, `${file}.1`);
    server.signal('SIGHUP');
    const reopened = () =>
      linesOf(file)
        .filter(({ msg }) => msg === 'the log file was opened again')
        .map(({ pid }) => pid);
    await expect.poll(() => [...reopened()].sort(), soon).toEqual([server.pid, ...workers].sort());

    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    expect([...first, ...workers].filter(isRunning)).toEqual([]);
  });

  it.runIf(isLong)(
    'GEN-16 the embedded database belongs to the supervisor, and a start that fails says why',
    async () => {
      const server = await start('', { KONTOR_WORKERS: '2' });
      const before = childrenOf(server.pid).filter((pid) => !workersOf(server).includes(pid));
      expect(before.length).toBeGreaterThan(0);
      for (const pid of workersOf(server)) process.kill(pid, 'SIGKILL');
      // What the dead were given is answered by another worker or ends; nobody waits for ever.
      await Promise.all(Array.from({ length: 20 }, () => ask(server, '/api/health').catch(() => 0)));
      await expect.poll(() => workersOf(server).length, soon).toBe(2);
      await expect.poll(() => ask(server, '/api/health/ready').catch(() => 0), soon).toBe(200);
      expect(childrenOf(server.pid)).toEqual(expect.arrayContaining([...before]));
      server.signal('SIGINT');
      expect(await server.ended).toBe(0);
      await expect.poll(() => before.filter(isRunning), soon).toEqual([]);

      const failed = await failedStart({ dsn: data.dsn, env: { KONTOR_WORKERS: '2' }, args: ['-i', 'no_such_module'] });
      expect(failed).toMatchObject({ code: 1, text: expect.stringContaining('no_such_module') });
    },
  );

  it('GEN-17 a server that runs out of descriptors says so', async () => {
    const program = ['-c', 'ulimit -n 90; exec "$0" "$@"'];
    const server = await startBuiltServer({ dsn: data.dsn, before: ['bash', ...program] });
    onTestFinished(server.stop);
    const agents = Array.from({ length: 80 }, () => ask(server, '/api/health').catch(() => 0));
    await Promise.all(agents);
    const { connect } = await import('node:net');
    const sockets = Array.from({ length: 80 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
    await expect.poll(() => server.lines.join('\n'), soon).toMatch(/file descriptors are used/);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => server.lines.join('\n'), soon).toMatch(/enough file descriptors again/);
  });

  long('OPS-13 a backup is timed for those who watch', async () => {
    const server = await start(data.dsn, {});
    const boss = server.browser();
    await boss.signIn(testAdmin.email, testAdmin.password);
    expect(await metric(boss, 'svc_backup_age_seconds')).toBeNaN();
    expect(await runBuilt(['backup', join(folder, 'a.backup'), '-d', data.dsn])).toMatchObject({ code: 0, err: '' });
    expect(await metric(boss, 'svc_backup_age_seconds')).toBeLessThan(600);
    expect(await metric(boss, 'svc_jobs_paused')).toBe(0);
  });
});
