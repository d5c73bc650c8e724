import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createDatabase, type EmbeddedServer, type PooledDatabase, sql, startEmbedded } from '@kontor/database';
import { isLong, selfSigned } from '@kontor/testing';
import { type DebianProgram, needProgram } from '@kontor/testing/debian-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../browser.ts';
import { type BuiltServer, failedStart, startBuiltServer } from '../built-server.ts';
import { openBus } from '../bus-socket.ts';
import { openPlace } from '../own-cluster.ts';

/** An address of this machine that no other test listens on. */
const host = `127.77.${(process.pid >> 8) % 256}.${process.pid % 256}`;
const admin = { login: 'ada@example.com', password: 'correct horse battery' };
const place = openPlace();
let cluster: EmbeddedServer;
let onCluster: PooledDatabase;
const at = (name: string) => join(place.folder, name);
const direct = `postgres://kontor:secret@${host}:5432/kontor`;

async function startCluster(): Promise<void> {
  const log = { info: () => {}, warn: () => {} };
  const first = await place.start('db');
  const { uid, gid } = statSync(join(first.home, 'cluster'));
  await first.stop();
  for (const [name, text] of Object.entries({ ...selfSigned() })) {
    writeFileSync(at(name), text, { mode: name === 'key' ? 0o600 : 0o644 });
    chownSync(at(name), uid, gid);
  }
  const ssl = { ssl: 'on', ssl_cert_file: at('cert'), ssl_key_file: at('key') };
  cluster = await startEmbedded({ dataDir: at('db'), log, settings: { fsync: 'off', listen_addresses: host, ...ssl } });
  appendFileSync(join(cluster.home, 'cluster', 'pg_hba.conf'), 'host all kontor 127.0.0.0/8 scram-sha-256\n');
  onCluster = createDatabase({ connection: cluster.admin, maxConnections: 2 });
  await onCluster.execute(sql`alter role kontor password 'secret'`);
  await onCluster.query(sql`select pg_reload_conf()`);
}

describe.runIf(isLong)('a database of another kind', () => {
  const started: BuiltServer[] = [];
  let pooler: ChildProcess | null = null;
  beforeAll(startCluster);
  afterAll(async () => {
    for (const server of started) await server.stop();
    if (pooler) {
      const ended = new Promise((resolve) => pooler?.once('close', resolve));
      pooler.kill('SIGTERM');
      await ended;
    }
    await onCluster?.close();
    await cluster?.stop();
    place.remove();
  });

  async function start(dsn: string, env: Record<string, string> = {}): Promise<BuiltServer> {
    const server = await startBuiltServer({ dsn, env });
    started.push(server);
    return server;
  }
  async function signedIn(server: BuiltServer): Promise<Browser> {
    const browser = server.browser();
    await browser.signIn(admin.login, admin.password);
    return browser;
  }

  it('DBK-1 with TLS every connection is encrypted, and another certificate is refused', async () => {
    const server = await start(`${direct}?sslmode=verify-ca&sslrootcert=${at('cert')}`);
    const form = { company_name: 'N', admin_name: 'Ada', email: admin.login, password: admin.password, apps: 'sale' };
    expect((await server.browser().json('/setup/init', form)).status).toBe(200);
    await (await signedIn(server)).rpc('core.partner', 'create', [{ name: 'Encrypted' }]);
    const kinds = await onCluster.query(sql`
      select distinct s.ssl from pg_stat_activity a join pg_stat_ssl s using (pid) where a.usename = 'kontor'`);
    expect(kinds).toEqual([{ ssl: true }]);
    await server.stop();
    writeFileSync(at('other'), selfSigned().cert);
    const refused = await failedStart({ dsn: `${direct}?sslmode=verify-ca&sslrootcert=${at('other')}` });
    expect([refused.code, refused.text.includes('secret')]).toEqual([1, false]);
  }, 300_000);

  it('DBK-2 behind PgBouncer in transaction mode everything works, with db_direct_dsn for what needs a session', async (context) => {
    const pgbouncer = needProgram(context, { program: 'pgbouncer', from: 'pgbouncer', mayFetch: true });
    const port = await freePort();
    pooler = await startPooler(pgbouncer, port);
    // Sixty at once wait for ten connections, however slow the machine is.
    const env = { KONTOR_DB_DIRECT_DSN: direct, KONTOR_DB_MAX_OPEN_CONNS: '10', KONTOR_DB_WAIT_SECONDS: '60' };
    const dsn = `postgres://kontor:secret@${host}:${port}/kontor`;
    const warned = await start(dsn, { KONTOR_DB_MAX_OPEN_CONNS: '2' });
    await expect.poll(() => warned.lines.join('\n')).toContain('leads to a pooler');
    const alone = await signedIn(warned);
    const made = await alone.rpc<number>('core.partner', 'create', [{ name: 'Without a session' }]);
    expect(await alone.rpc('core.partner', 'read', [[made], ['name']])).toEqual([
      { id: made, name: 'Without a session' },
    ]);
    await warned.stop();
    const servers = [await start(dsn, env), await start(dsn, env)];
    const [one, two] = (await Promise.all(servers.map(signedIn))) as [Browser, Browser];
    const bus = await openBus(two);
    const names = Array.from({ length: 60 }, (_, n) => `Pooled ${n}`);
    const ids = await Promise.all(
      names.map((name, n) => (n % 2 ? one : two).rpc<number>('core.partner', 'create', [{ name }])),
    );
    const found = await Promise.all(
      names.map((name, n) =>
        (n % 2 ? two : one).rpc<{ name: string; create_date: string }[]>('core.partner', 'search_read', [
          [['name', '=', name]],
          ['name', 'create_date'],
        ]),
      ),
    );
    expect(found.map((rows) => rows.map(({ name }) => name))).toEqual(names.map((name) => [name]));
    for (const [row] of found) expect(Math.abs(Date.parse(row?.create_date ?? '') - Date.now())).toBeLessThan(600_000);
    await Promise.all(ids.map((id, n) => (n % 2 ? one : two).rpc('core.partner', 'write', [[id], { city: 'Kiel' }])));
    expect((await one.rpc<unknown[]>('core.partner', 'search', [[['city', '=', 'Kiel']]])).length).toBe(60);
    const heard = () => new Set(bus.of('record.created').map(({ id }) => id));
    await expect.poll(() => ids.filter((id) => !heard().has(id)), { timeout: 120_000 }).toEqual([]);
    const csv = await (await one.get('/web/export/csv?model=core.partner&fields=name')).text();
    expect(csv.split('\n').filter((line) => line.includes('Pooled')).length).toBe(60);
    expect((await one.json('/web/module/action', { do: 'install', module: 'crm' })).status).toBe(200);
    await expect.poll(() => two.outcome('crm.lead', 'search', [[]]), { timeout: 120_000 }).toBe('OK');
    const limits = await onCluster.query<{ kept: string[] }>(sql`select setconfig as kept from pg_db_role_setting`);
    expect(limits[0]?.kept).toContain('statement_timeout=30s');
    await bus.close();
  }, 400_000);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, host, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

async function startPooler({ path, env }: DebianProgram, port: number): Promise<ChildProcess> {
  mkdirSync(at('pooler'));
  chmodSync(at('pooler'), 0o755);
  writeFileSync(join(at('pooler'), 'users'), '"kontor" "secret"\n', { mode: 0o644 });
  const lines = [
    ...['[databases]', `kontor = host=${host} port=5432 dbname=kontor`, '[pgbouncer]', `listen_addr = ${host}`],
    ...[
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${join(at('pooler'), 'users')}`,
    ],
    ...['pool_mode = transaction', 'default_pool_size = 5', 'max_client_conn = 100', 'logfile ='],
  ];
  const file = join(at('pooler'), 'pgbouncer.ini');
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(path, [...account, file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (piece: Buffer) => {
      told += piece;
      if (told.includes('process up')) resolve();
    });
    child.once('close', () => reject(new Error(`PgBouncer ended: ${told}`)));
  });
  return child;
}
