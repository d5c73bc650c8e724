import { createDatabase, type Database, ident, sql } from '@kontor/database';

/** Where the databases of this run are created. */
export function clusterDsn(): string {
  const dsn = process.env.KONTOR_TEST_DSN;
  if (!dsn) throw new Error('No test cluster: run through `npm test` or set KONTOR_TEST_DSN.');
  return dsn;
}

export function dsnOn(name: string): string {
  const url = new URL(clusterDsn());
  url.pathname = `/${name}`;
  return url.toString();
}

/** Statements that create and drop databases, on their own connection. */
export async function onCluster<T>(work: (cluster: Database) => Promise<T>): Promise<T> {
  const cluster = createDatabase({
    dsn: clusterDsn(),
    maxConnections: 1,
    statementTimeoutMs: 0,
    lockTimeoutMs: 0,
    idleInTransactionTimeoutMs: 0,
  });
  try {
    return await work(cluster);
  } finally {
    await cluster.close();
  }
}

/**
 * A new database as a copy of another. Copying files is faster than copying pages if nothing has to be flushed, as in the cluster
 * of a run; it forces a checkpoint.
 */
export function copyDatabase(cluster: Database, from: string, name: string): Promise<number> {
  const strategy = process.env.KONTOR_TEST_CLUSTER === 'own' ? 'file_copy' : 'wal_log';
  return cluster.execute(sql`create database ${ident(name)} template ${ident(from)} strategy ${ident(strategy)}`);
}

/** One at a time across all processes of the run; the work uses its own connections. */
export function oneAtATime<T>(what: string, work: () => Promise<T>): Promise<T> {
  return onCluster((cluster) =>
    cluster.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${what}))`);
      return work();
    }),
  );
}
