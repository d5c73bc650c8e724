import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { ConnectionConfig } from '../pool/parse-dsn.ts';
import { compile, ident, join, type Sql, sql } from '../sql/sql.ts';
import { copyOut } from './copy.ts';
import { openDumpSession } from './dump-session.ts';
import { readCounters, readStructure } from './read-structure.ts';

/**
 * The database as an SQL script, as a consistent snapshot while others continue to write. `psql` can run it; lines that begin with
 * `-- kontor` tell `readDump` the length of each statement, the number of rows and the checksum of the whole.
 */
export async function* writeDump(connection: ConnectionConfig, about: object): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const client = await openDumpSession(connection);
  try {
    for await (const piece of script(client, about)) {
      hash.update(piece);
      yield piece;
    }
    yield Buffer.from(`-- kontor end ${hash.digest('hex')}\n`);
  } finally {
    await client.end().catch(() => {});
  }
}

async function* script(client: Client, about: object): AsyncGenerator<Buffer> {
  await beginSnapshot(client);
  const { before, tables, after } = await readStructure(client);
  yield Buffer.from(`-- kontor dump ${JSON.stringify({ ...about, format: 1 })}\n`);
  yield statement(sql`set check_function_bodies = off`);
  for (const each of before) yield statement(each);
  for (const { name, columns } of tables) {
    if (columns.length === 0) continue;
    const target = sql`${ident('public', name)} (${join(columns.map((column) => ident(column)))})`;
    const { text } = compile(sql`copy ${target} from stdin`);
    yield Buffer.from(`-- kontor rows ${Buffer.byteLength(text)}\n${text};\n`);
    const count = yield* copyOut(client, sql`copy ${target} to stdout`);
    yield Buffer.from(`\\.\n-- kontor counted ${count}\n`);
  }
  for (const each of [...after, ...(await readCounters(client))]) yield statement(each);
  await client.query('rollback');
}

function statement(composed: Sql): Buffer {
  const { text } = compile(composed);
  return Buffer.from(`-- kontor statement ${Buffer.byteLength(text)}\n${text};\n`);
}

const tries = 5;

/** Tables are locked against changes of their structure before the snapshot is taken; reading and writing go on. */
async function beginSnapshot(client: Client): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const locked = await tableNames(client);
    await client.query('begin isolation level repeatable read read only');
    try {
      if (locked.length > 0) await client.query(compile(lockAll(locked)).text);
      const found = await tableNames(client);
      if (found.join() === locked.join()) return;
    } catch (error) {
      if (attempt >= tries) throw error;
    }
    await client.query('rollback');
    if (attempt >= tries)
      throw new Error('Tables come and go while the backup begins. Try again when no module is being changed.');
  }
}

function lockAll(tables: readonly string[]): Sql {
  return sql`lock table ${join(tables.map((name) => ident('public', name)))} in access share mode`;
}

async function tableNames(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    compile(sql`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r' order by c.relname`).text,
  );
  return rows.map(({ name }) => name);
}
