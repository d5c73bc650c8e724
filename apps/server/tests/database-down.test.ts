import { createDatabase, type EmbeddedServer, sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { type BuiltServer, startBuiltServer } from './built-server.ts';
import { dsnOf, openPlace } from './own-cluster.ts';

const admin = { login: 'ada@example.com', password: 'correct horse battery' };
const place = openPlace();
let cluster: EmbeddedServer;
let server: BuiltServer;
let boss: Browser;

beforeAll(async () => {
  cluster = await place.start('a');
  server = await startBuiltServer({ dsn: dsnOf(cluster.connection) });
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

describe('a database that goes away', () => {
  it('GEN-8 callers get UNAVAILABLE, health answers, and everything works again without a restart', async () => {
    expect(await boss.outcome('core.user', 'search', [])).toBe('OK');
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
    expect((await boss.get('/metrics')).status).toBe(503);

    cluster = await place.start('a');
    await expect.poll(() => boss.outcome('core.user', 'search', []), { timeout: 20_000 }).toBe('OK');
    await expect.poll(async () => (await boss.get('/api/health/ready')).status).toBe(200);
    expect(await boss.outcome('core.partner', 'create', [{ name: 'after' }])).toBe('OK');
    await server.browser().signIn(admin.login, admin.password);
    const database = createDatabase({ connection: cluster.connection, maxConnections: 1, onWarning: () => {} });
    try {
      const kept = () =>
        database.query<{ message: string }>(
          sql`select message from sys_log where message like 'request failed (UNAVAILABLE)%'`,
        );
      await expect.poll(async () => (await kept()).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
    } finally {
      await database.close();
    }
  });
});
