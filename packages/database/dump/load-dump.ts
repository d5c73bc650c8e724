import type { Client } from 'pg';
import type { ConnectionConfig } from '../pool/parse-dsn.ts';
import { compile, sql, trustedSql } from '../sql/sql.ts';
import { copyIn } from './copy.ts';
import { withDumpSession } from './dump-session.ts';
import { readDump } from './read-dump.ts';

/** The content of a dump, or the result of loading it. */
export interface DumpSummary {
  readonly about: Readonly<Record<string, unknown>>;
  readonly tables: number;
  readonly rows: number;
}

/** Reads a dump to its end and changes nothing. Throws if it is not complete. */
export async function checkDump(source: AsyncIterable<Buffer>): Promise<DumpSummary> {
  let about: DumpSummary['about'] = {};
  let [tables, rows] = [0, 0];
  for await (const part of readDump(source)) {
    if (part.kind === 'about') about = part.about;
    if (part.kind === 'counted') rows += part.count;
    if (part.kind !== 'rows') continue;
    tables++;
    for await (const _piece of part.rows);
  }
  return { about, tables, rows };
}

/** Fills an empty database, all or nothing. */
export async function loadDump(connection: ConnectionConfig, source: AsyncIterable<Buffer>): Promise<DumpSummary> {
  return withDumpSession(connection, async (client) => {
    await client.query('begin');
    await refuseFilled(client);
    const summary = await runParts(client, source);
    await client.query('commit');
    // Without statistics the database would choose slow plans for every list until autovacuum analyses the tables.
    await client.query('analyze');
    return summary;
  });
}

async function runParts(client: Client, source: AsyncIterable<Buffer>): Promise<DumpSummary> {
  let about: DumpSummary['about'] = {};
  let [tables, rows, taken] = [0, 0, 0];
  for await (const part of readDump(source)) {
    if (part.kind === 'about') about = part.about;
    else if (part.kind === 'statement') await client.query(part.text);
    else if (part.kind === 'rows') {
      tables++;
      taken = await copyIn(client, trustedSql(part.text), part.rows);
    } else if (part.count === taken) rows += taken;
    else throw new Error(`The database took ${taken} of ${part.count} rows.`);
  }
  return { about, tables, rows };
}

/** Throws if the database contains anything that a dump would conflict with. */
export async function refuseFilledDatabase(connection: ConnectionConfig): Promise<void> {
  await withDumpSession(connection, refuseFilled);
}

async function refuseFilled(client: Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    compile(sql`select count(*)::int4 as count from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'S')`).text,
  );
  if (rows[0]?.count === 0) return;
  throw new Error(
    `The database is not empty: it has ${rows[0]?.count} tables and sequences. A backup is restored into an empty one.`,
  );
}
