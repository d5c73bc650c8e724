import { createDatabase, type Database, type EmbeddedServer, sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { type BuiltServer, startBuiltServer } from './built-server.ts';
import { dsnOf, openPlace, startPair } from './own-cluster.ts';

const admin = { login: 'ada@example.com', password: 'correct horse battery' };
const place = openPlace();
let primary: EmbeddedServer;
let standby: EmbeddedServer;
let onStandby: Database;
let server: BuiltServer;
let writer: Browser;
let reader: Browser;
let keyed: Browser;
const patience = { timeout: 15_000, interval: 50 };

beforeAll(async () => {
  ({ primary, standby } = await startPair(place));
  const [dsn, replica] = [dsnOf(primary.connection), dsnOf(standby.connection)];
  onStandby = createDatabase({ connection: standby.admin, maxConnections: 1, onWarning: () => {} });
  const args = { dsn, env: { KONTOR_DB_READ_REPLICA_DSN: replica, KONTOR_CRON_ENABLED: 'false' } };
  server = await startBuiltServer(args);
  const setup = { company_name: 'Nordlicht', admin_name: 'Ada', email: admin.login, password: admin.password };
  expect((await server.browser().json('/setup/init', setup)).status).toBe(200);
  [writer, reader] = [server.browser(), server.browser()];
  for (const browser of [writer, reader]) await browser.signIn(admin.login, admin.password);
  await writer.form('/web/action/create_api_key', { name: 'replica' });
  const { body } = JSON.parse(Buffer.from(writer.cookies.get('svc_flash') ?? '', 'base64url').toString()) as {
    body: string;
  };
  keyed = Browser.withKey(server.url, body);
});
afterAll(async () => {
  await server?.stop();
  await onStandby?.close();
  await standby?.stop();
  await primary?.stop();
  place.remove();
});

const create = (browser: Browser, name: string) => browser.rpc<number>('core.partner', 'create', [{ name }]);
const finds = async (browser: Browser, name: string, method = 'search_read') =>
  (await browser.rpc<unknown[]>('core.partner', method, [[['name', '=', name]]])).length > 0;
async function pauseReplay(): Promise<void> {
  await onStandby.query(sql`select pg_wal_replay_pause()`);
  await expect
    .poll(() => onStandby.arrays(sql`select pg_get_wal_replay_pause_state()`), patience)
    .toEqual([['paused']]);
}

describe('a read replica', () => {
  it('GEN-4 serves search and search_read, and a caller reads what they wrote', async () => {
    await create(writer, 'warm');
    await expect.poll(() => finds(reader, 'warm'), patience).toBe(true);
    await pauseReplay();
    try {
      const id = await create(writer, 'behind');
      for (const method of ['search', 'search_read']) {
        expect([method, await finds(writer, 'behind', method)]).toEqual([method, true]);
        expect([method, await finds(reader, 'behind', method)]).toEqual([method, false]);
      }
      expect(await reader.rpc('core.partner', 'read', [[id], ['name']])).toEqual([{ id, name: 'behind' }]);
      const [total] = await reader.rpc<{ __count: number }[]>('core.partner', 'read_group', [
        { domain: [['name', '=', 'behind']], groupby: [], fields: [] },
      ]);
      expect(total?.__count).toBe(1);
      expect(await finds(keyed, 'behind')).toBe(false);
      await create(keyed, 'by key');
      expect(await finds(keyed, 'by key')).toBe(true);
      expect(await finds(keyed, 'behind')).toBe(true);
      expect(await finds(reader, 'by key')).toBe(false);
    } finally {
      await onStandby.query(sql`select pg_wal_replay_resume()`);
    }
    await expect.poll(() => finds(reader, 'by key'), patience).toBe(true);
    expect(await finds(reader, 'behind')).toBe(true);
  });

  it('GEN-4 many writes at once leave the caller at the newest', async () => {
    await pauseReplay();
    try {
      const names = Array.from({ length: 10 }, (_, at) => `together ${at}`);
      await Promise.all(names.map((name) => create(writer, name)));
      for (const name of names) expect([name, await finds(writer, name)]).toEqual([name, true]);
    } finally {
      await onStandby.query(sql`select pg_wal_replay_resume()`);
    }
  });

  it('GEN-4 a list of the workspace prefers it as well', async () => {
    await pauseReplay();
    try {
      await create(writer, 'in a list');
      const lists = async (browser: Browser) => {
        const response = await browser.get('/web/wc/workspace?model=core.partner&view_type=list&q=in%20a%20list');
        return [response.status, ((await response.json()) as { records?: unknown[] }).records?.length];
      };
      expect(await lists(writer)).toEqual([200, 1]);
      expect(await lists(reader)).toEqual([200, 0]);
    } finally {
      await onStandby.query(sql`select pg_wal_replay_resume()`);
    }
  });

  it('GEN-4 one that is dead costs nothing, is told of, and is used again when it is back', async () => {
    await onStandby.close();
    await standby.stop();
    for (let at = 0; at < 10; at++) {
      await create(writer, `dead ${at}`);
      for (const browser of [writer, reader, keyed]) expect(await finds(browser, `dead ${at}`)).toBe(true);
    }
    expect(server.lines.some((line) => line.includes('The read replica is not used'))).toBe(true);
    standby = await place.start('b');
    onStandby = createDatabase({ connection: standby.admin, maxConnections: 1, onWarning: () => {} });
    await expect.poll(() => server.lines.some((line) => line.includes('used again')), patience).toBe(true);
    await expect.poll(() => finds(reader, 'dead 9'), patience).toBe(true);
  });
});
