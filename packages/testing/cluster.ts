import { randomBytes } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { type ConnectionConfig, ident, sql, startEmbedded } from '@kontor/database';
import { onCluster } from './cluster-work.ts';
import { makeRunFolder } from './run-folder.ts';
import { templatePrefix } from './template-prefix.ts';

/** For tests: nothing has to survive a power failure, and many databases are created and dropped. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  autovacuum: 'off',
};

/** Starts one PostgreSQL for the whole test run, unless KONTOR_TEST_DSN names one. */
export default async function setup(): Promise<() => Promise<void>> {
  process.env.KONTOR_TEST_RUN = randomBytes(4).toString('hex');
  if (process.env.KONTOR_TEST_DSN) return dropTemplates;
  const dataDir = await makeRunFolder();
  chmodSync(dataDir, 0o755);
  const log = { info: () => {}, warn: (message: string) => process.stderr.write(`${message}\n`) };
  const server = await startEmbedded({ dataDir, log, settings });
  process.env.KONTOR_TEST_DSN = dsnOf(server.admin);
  process.env.KONTOR_TEST_CLUSTER = 'own';
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** The server is used by others too: the databases of this run are dropped. */
async function dropTemplates(): Promise<void> {
  await onCluster(async (cluster) => {
    const prepared = await cluster.query<{ name: string }>(
      sql`select datname::text as name from pg_database where starts_with(datname, ${templatePrefix()})`,
    );
    for (const { name } of prepared) {
      await cluster.execute(sql`alter database ${ident(name)} is_template false`);
      await cluster.execute(sql`drop database ${ident(name)} with (force)`);
    }
  });
}

function dsnOf({ host = '', user = '', database = '', password, port }: ConnectionConfig): string {
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : '';
  const query = new URLSearchParams({ host, ...(port ? { port: String(port) } : {}) });
  return `postgres://${encodeURIComponent(user)}${secret}@localhost/${database}?${query}`;
}
