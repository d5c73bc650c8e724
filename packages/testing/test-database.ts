import { randomBytes } from 'node:crypto';
import { createDatabase, type Database, ident, type PooledDatabase, sql } from '@kontor/database';

export interface TestDatabase {
  readonly dsn: string;
  readonly database: PooledDatabase;
  drop(): Promise<void>;
}

/** An empty database of its own on the test cluster. */
export async function createTestDatabase(options: { maxConnections?: number } = {}): Promise<TestDatabase> {
  const clusterDsn = process.env.KONTOR_TEST_DSN;
  if (!clusterDsn) throw new Error('No test cluster: run through `npm test` or set KONTOR_TEST_DSN.');
  const name = `kontor_test_${randomBytes(6).toString('hex')}`;
  await onCluster(clusterDsn, (cluster) => cluster.execute(sql`create database ${ident(name)}`));
  const dsn = withDatabase(clusterDsn, name);
  const database = createDatabase({ dsn, maxConnections: options.maxConnections ?? 8 });
  return {
    dsn,
    database,
    async drop() {
      await database.close();
      await onCluster(clusterDsn, (cluster) => cluster.execute(sql`drop database ${ident(name)} with (force)`));
    },
  };
}

function withDatabase(dsn: string, name: string): string {
  const url = new URL(dsn);
  url.pathname = `/${name}`;
  return url.toString();
}

async function onCluster(dsn: string, work: (cluster: Database) => Promise<unknown>): Promise<void> {
  const cluster = createDatabase({ dsn, maxConnections: 1 });
  try {
    await work(cluster);
  } finally {
    await cluster.close();
  }
}
