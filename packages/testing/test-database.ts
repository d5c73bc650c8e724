import { randomBytes } from 'node:crypto';
import { createDatabase, ident, type PooledDatabase, sql } from '@kontor/database';
import { copyDatabase, dsnOn, onCluster } from './cluster-work.ts';
import { countedByCaller } from './count-statements.ts';

/** A database for one test file. */
export interface TestDatabase {
  readonly dsn: string;
  readonly database: PooledDatabase;
  drop(): Promise<void>;
}

/** Its initial content. */
export interface TestDatabaseOptions {
  readonly maxConnections?: number;
  /** The database that it starts as a copy of. */
  readonly template?: string;
}

/** A new database on the test cluster, empty unless it is a copy. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const name = `kontor_test_${randomBytes(6).toString('hex')}`;
  await onCluster((cluster) => copyDatabase(cluster, options.template ?? 'template1', name));
  const dsn = dsnOn(name);
  const database = countedByCaller(createDatabase({ dsn, maxConnections: options.maxConnections ?? 8 }));
  return {
    dsn,
    database,
    async drop() {
      await database.close();
      await onCluster((cluster) => cluster.execute(sql`drop database ${ident(name)} with (force)`));
    },
  };
}
