import { createHash } from 'node:crypto';
import { createDatabase, ident, type PooledDatabase, sql } from '@kontor/database';
import { copyDatabase, dsnOn, onCluster, oneAtATime } from './cluster-work.ts';
import { templatePrefix } from './template-prefix.ts';

export interface Template {
  /** The database it is copied from; null: an empty one. */
  from?(): Promise<string | null>;
  change(database: PooledDatabase, dsn: string): Promise<void>;
}

const made = new Map<string, Promise<string>>();

/** The name of a database to copy from, created once per run and key. */
export function templateDatabase(key: string, template: Template): Promise<string> {
  const name = `${templatePrefix()}${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
  const known = made.get(name) ?? oneAtATime(name, () => make(name, template));
  made.set(name, known);
  return known;
}

async function make(name: string, { from, change }: Template): Promise<string> {
  const [found] = await onCluster((cluster) =>
    cluster.query(sql`select from pg_database where datname = ${name} and datistemplate`),
  );
  if (found) return name;
  const before = (await from?.()) ?? 'template1';
  await onCluster(async (cluster) => {
    await cluster.execute(sql`drop database if exists ${ident(name)}`);
    await copyDatabase(cluster, before, name);
  });
  const dsn = dsnOn(name);
  const database = createDatabase({ dsn, maxConnections: 4 });
  try {
    await change(database, dsn);
  } finally {
    await database.close();
  }
  await onCluster((cluster) => cluster.execute(sql`alter database ${ident(name)} is_template true`));
  return name;
}
