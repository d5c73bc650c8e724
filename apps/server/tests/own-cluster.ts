import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionConfig, createDatabase, type EmbeddedServer, sql, startEmbedded } from '@kontor/database';

/** PostgreSQL servers of a test's own, to be stopped and started again. */
export interface Place {
  readonly folder: string;
  start(name: string): Promise<EmbeddedServer>;
  remove(): void;
}

export function openPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-cluster-'));
  chmodSync(folder, 0o755);
  const log = { info: () => {}, warn: () => {} };
  return {
    folder,
    start: (name) => startEmbedded({ dataDir: join(folder, name), log, settings: { fsync: 'off' } }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function dsnOf({ host = '', user = '', database = '', password, port }: ConnectionConfig): string {
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : '';
  const query = new URLSearchParams({ host, ...(port ? { port: String(port) } : {}) });
  return `postgres://${encodeURIComponent(user)}${secret}@localhost/${database}?${query}`;
}

/** One address for whichever of these takes changes. */
export function dsnOfAll(...servers: readonly EmbeddedServer[]): string {
  const { host: _, ...first } = servers[0]?.connection ?? {};
  return `${dsnOf(first)}`.replace(/host=[^&]*/, `host=${servers.map(({ connection }) => connection.host).join()}`);
}

/** A primary, and a streaming standby made from a copy of its stopped cluster. */
export async function startPair(place: Place): Promise<{ primary: EmbeddedServer; standby: EmbeddedServer }> {
  const first = await place.start('a');
  await first.stop();
  const copy = join(place.folder, 'b', 'postgres', 'cluster');
  mkdirSync(join(place.folder, 'b', 'postgres'), { recursive: true });
  execFileSync('cp', ['-a', join(first.home, 'cluster'), copy]);
  writeFileSync(join(copy, 'standby.signal'), '');
  const { host, port } = first.admin;
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = 'host=${host} port=${port} user=postgres'\n`);
  const primary = await place.start('a');
  await letIn(primary);
  return { primary, standby: await place.start('b') };
}

/** The standby connects as the account that runs it, which is not ours when we are root. */
async function letIn(primary: EmbeddedServer): Promise<void> {
  const { uid } = statSync(join(primary.home, 'cluster'));
  if (uid === process.getuid?.()) return;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => Number(each.split(':')[2]) === uid);
  appendFileSync(join(primary.home, 'cluster', 'pg_ident.conf'), `kontor ${line?.split(':')[0]} postgres\n`);
  const admin = createDatabase({ connection: primary.admin });
  await admin.query(sql`select pg_reload_conf()`);
  await admin.close();
}
