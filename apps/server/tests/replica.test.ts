import { createDatabase, type Database, type EmbeddedServer, type Sql, sql } from '@kontor/database';
import { isLong } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { type BuiltServer, startBuiltServer } from './built-server.ts';
import { openBus } from './bus-socket.ts';
import { dsnOf, dsnOfAll, openPlace, startPair } from './own-cluster.ts';
import { parsePrometheus } from './prometheus-text.ts';
import { startLoad } from './write-load.ts';

const admin = { login: 'ada@example.com', password: 'correct horse battery' };
const place = openPlace();
let primary: EmbeddedServer;
let standby: EmbeddedServer;
let onStandby: Database;
let server: BuiltServer;
let writer: Browser;
let reader: Browser;
let keyed: Browser;
/** Records that are acknowledged before the primary dies, and again afterwards. */
const rounds = isLong ? 2_000 : 40;
const patience = { timeout: 120_000, interval: 50 };

beforeAll(async () => {
  ({ primary, standby } = await startPair(place));
  const [dsn, replica] = [dsnOfAll(primary, standby), dsnOf(standby.connection)];
  onStandby = createDatabase({ connection: standby.admin, maxConnections: 1, onWarning: () => {} });
  const env = { KONTOR_DB_READ_REPLICA_DSN: replica, KONTOR_CRON_ENABLED: 'false' };
  server = await startBuiltServer({ dsn, env });
  const setup = { company_name: 'Nordlicht', admin_name: 'Ada', email: admin.login, password: admin.password };
  expect((await server.browser().json('/setup/init', setup)).status).toBe(200);
  [writer, reader] = [server.browser(), server.browser()];
  for (const browser of [writer, reader]) await browser.signIn(admin.login, admin.password);
  await writer.form('/web/action/create_api_key', { name: 'replica' });
  keyed = Browser.withKey(server.url, (await writer.takeFlash()).body);
});
afterAll(async () => {
  await server?.stop();
  await onStandby?.close();
  await standby?.stop();
  await primary?.stop();
  place.remove();
});

async function onPrimary(statement: Sql): Promise<unknown[][]> {
  const database = createDatabase({ connection: primary.admin, maxConnections: 1, onWarning: () => {} });
  return database.arrays(statement).finally(() => database.close());
}
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

  it('RTE-4 svc_replica_lag_seconds tells how far it is behind, and that it has caught up', async () => {
    const lag = async () => {
      const text = await (await writer.get('/metrics')).text();
      return parsePrometheus(text).get('svc_replica_lag_seconds')?.samples[0]?.value;
    };
    await pauseReplay();
    try {
      await create(writer, 'lag');
      await expect.poll(lag, patience).toBeGreaterThan(0);
    } finally {
      await onStandby.query(sql`select pg_wal_replay_resume()`);
    }
    await expect.poll(lag, patience).toBe(0);
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

  it('GEN-4 one that is dead costs nothing, and is told of', async () => {
    await onStandby.close();
    await standby.stop();
    for (let at = 0; at < 10; at++) {
      await create(writer, `dead ${at}`);
      for (const browser of [writer, reader, keyed]) expect(await finds(browser, `dead ${at}`)).toBe(true);
    }
    expect(server.lines.some((line) => line.includes('The read replica is not used'))).toBe(true);
  });

  it('OPS-4 what a synchronous standby did not confirm is not acknowledged', async () => {
    await onPrimary(sql`alter system set synchronous_standby_names = '*'`);
    await onPrimary(sql`select pg_reload_conf()`);
    await expect.poll(() => onPrimary(sql`show synchronous_standby_names`)).toEqual([['*']]);
    const creating = create(writer, 'alone').catch(({ message }: Error) => message);
    let told: unknown = null;
    void creating.then((outcome) => {
      told = outcome;
    });
    // An operator ends the wait: the server commits all the same, with a warning.
    const letGo = sql`select count(pg_cancel_backend(pid)) from pg_stat_activity where wait_event = 'SyncRep'`;
    await expect.poll(async () => [await onPrimary(letGo), told][1]).not.toBe(null);
    expect(told).toContain('Check whether the change arrived before you repeat it.');
    expect(await finds(reader, 'alone')).toBe(true);
  });

  it('GEN-4 one that is back is used again', async () => {
    standby = await place.start('b');
    onStandby = createDatabase({ connection: standby.admin, maxConnections: 1, onWarning: () => {} });
    await expect.poll(() => server.lines.some((line) => line.includes('used again')), patience).toBe(true);
    await expect.poll(() => finds(reader, 'dead 9'), patience).toBe(true);
  });

  it('OPS-3 a standby that is promoted is followed, and nothing that was acknowledged is lost', async () => {
    const isSync = () => onPrimary(sql`select sync_state from pg_stat_replication`);
    await expect.poll(isSync, patience).toEqual([['sync']]);
    const bus = await openBus(writer);
    const load = startLoad({ writers: 4, browserOf: (client) => (client % 2 ? writer : keyed) });
    const more = async (count: number) => {
      const before = load.acknowledged.length;
      await expect.poll(() => load.acknowledged.length, { timeout: 120_000 }).toBeGreaterThan(before + count);
    };
    await more(rounds);
    // Not started again: whoever promotes a standby keeps the old primary from coming back.
    const pid = primary.pid as number;
    const stopped = primary.stop();
    process.kill(pid, 'SIGKILL');
    await stopped;
    const ready = async () => (await server.browser().get('/api/health/ready')).status;
    await expect.poll(ready, patience).toBe(503);
    await onStandby.query(sql`alter system reset synchronous_standby_names`);
    await onStandby.query(sql`select pg_promote()`);
    await more(rounds);
    expect(await ready()).toBe(200);
    await load.stop();
    const promoted = createDatabase({ connection: standby.connection, maxConnections: 1, onWarning: () => {} });
    const rows = await promoted.arrays(sql`select name from core_partner where name like 'partner %'`);
    await promoted.close();
    const kept = new Set(rows.map(([name]) => String(name)));
    expect(load.acknowledged.filter((name) => !kept.has(name))).toEqual([]);
    expect(rows).toHaveLength(kept.size);
    await expect.poll(() => bus.of('bus.gap').length, patience).toBeGreaterThan(0);
    const refused = [...load.refused].map(([code, count]) => `${code} ${count}`).join(', ');
    process.stdout.write(
      `promotions 1, acknowledged ${load.acknowledged.length}, lost 0, written ${rows.length}, not acknowledged: ${refused}\n`,
    );
    await bus.close();
  });
});
