import { readFileSync } from 'node:fs';
import { createDatabase, type EmbeddedServer, sql } from '@kontor/database';
import { isLong } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { type BuiltServer, startBuiltServer } from './built-server.ts';
import { type BusSocket, eventually, openBus } from './bus-socket.ts';
import { dsnOf, openPlace } from './own-cluster.ts';
import { startLoad } from './write-load.ts';

const admin = { login: 'ada@example.com', password: 'correct horse battery' };
const place = openPlace();
let cluster: EmbeddedServer;
let cookies: ReadonlyMap<string, string>;
let csrf: string;
/** Two processes on one database; a fault may replace one of them. */
const servers: BuiltServer[] = [];

const start = () =>
  startBuiltServer({
    dsn: dsnOf(cluster.connection),
    env: { KONTOR_DB_ANSWER_SECONDS: '2', KONTOR_LOG_LEVEL: 'error' },
  });

beforeAll(async () => {
  cluster = await place.start('a');
  servers.push(await start());
  const boss = (servers[0] as BuiltServer).browser();
  const setup = { company_name: 'Nordlicht', admin_name: 'Ada', email: admin.login, password: admin.password };
  expect((await boss.json('/setup/init', setup)).status).toBe(200);
  await boss.signIn(admin.login, admin.password);
  ({ cookies, csrf } = boss);
  servers.push(await start());
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await cluster?.stop();
  place.remove();
});

/** The same session on whichever process is asked. */
function browserOf(server: BuiltServer): Browser {
  const browser = server.browser();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  browser.csrf = csrf;
  return browser;
}

const writers = 6;
const browserOfTurn = (client: number, count: number) =>
  browserOf(servers[(client + count) % servers.length] as BuiltServer);

async function replace(at: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const old = servers[at] as BuiltServer;
  old.signal(signal);
  const code = await old.ended;
  if (signal === 'SIGTERM') expect(code).toBe(0);
  servers[at] = await start();
}

async function killDatabase(): Promise<void> {
  const restarted = new Promise<void>((resolve) => {
    const stop = cluster.onRestart(() => {
      stop();
      resolve();
    });
  });
  process.kill(cluster.pid as number, 'SIGKILL');
  await restarted;
}

/** Every process of the database stands still until the servers have noticed. */
async function freezeDatabase(): Promise<void> {
  const postmaster = cluster.pid as number;
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  const all = [postmaster, ...children];
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  try {
    const ready = async () => (await (servers[0] as BuiltServer).browser().get('/api/health/ready')).status;
    await expect.poll(ready, { timeout: 120_000 }).toBe(503);
  } finally {
    for (const pid of all) process.kill(pid, 'SIGCONT');
  }
}

const faults: Readonly<Record<string, () => Promise<void>>> = {
  'database killed': killDatabase,
  'process stopped': () => replace(1, 'SIGTERM'),
  'process killed': () => replace(1, 'SIGKILL'),
  'database frozen': freezeDatabase,
};
/** `npm run test:long` injects each of them ten times. */
const rounds = isLong
  ? Array.from({ length: 10 }, () => Object.keys(faults)).flat()
  : ['database killed', 'process killed'];

describe.runIf(process.platform === 'linux')('GEN-12 faults under load', () => {
  it('GEN-12 nothing that was acknowledged is lost, and nothing is written twice', async () => {
    const bus: BusSocket = await openBus(browserOf(servers[0] as BuiltServer));
    const load = startLoad({ writers, browserOf: browserOfTurn });
    const patience = { timeout: 120_000, interval: 20 };
    for (const fault of rounds) {
      const before = load.acknowledged.length;
      await expect.poll(() => load.acknowledged.length, patience).toBeGreaterThan(before + 2 * writers);
      await faults[fault]?.();
    }
    const last = load.acknowledged.length;
    await expect.poll(() => load.acknowledged.length, patience).toBeGreaterThan(last + 2 * writers);
    await load.stop();

    const database = createDatabase({ connection: cluster.connection, maxConnections: 1, onWarning: () => {} });
    const rows = await database.query<{ id: number; name: string }>(
      sql`select id, name from core_partner where name like 'partner %'`,
    );
    await database.close();
    const kept = new Set(rows.map(({ name }) => name));
    expect(load.acknowledged.filter((name) => !kept.has(name))).toEqual([]);
    expect(rows).toHaveLength(kept.size);
    // The socket of the process that was never replaced heard of each record once, at least, and of each gap.
    const told = () => new Set(bus.of('record.created').map(({ id }) => id));
    await eventually(() => expect(rows.filter(({ id }) => !told().has(id))).toEqual([]));
    const refused = [...load.refused].map(([code, count]) => `${code} ${count}`).join(', ');
    process.stdout.write(
      `faults ${rounds.length}, acknowledged ${load.acknowledged.length}, lost 0, written ${rows.length}, not acknowledged: ${refused}, gaps told ${bus.of('bus.gap').length}\n`,
    );
    await bus.close();
  }, 900_000);
});
