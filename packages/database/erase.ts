import type { Queryable } from './queryable.ts';
import { ident, join, type Sql, sql } from './sql/sql.ts';

interface TextColumn extends Record<string, unknown> {
  readonly table_name: string;
  readonly column_name: string;
  readonly is_json: boolean;
}

/** Texts to be replaced, whatever their case. */
export interface Replacing {
  /** One regular expression of PostgreSQL that finds them. */
  readonly pattern: string;
  readonly replacement: string;
}

/**
 * Replaces texts in every text and JSON column of every table, including those of modules that are not installed; `except` are
 * tables that other code handles. It reads the whole database: use it for rare tasks that must miss nothing.
 */
export async function replaceEverywhere(db: Queryable, asked: Replacing, except: readonly string[]): Promise<void> {
  const { pattern, replacement } = asked;
  for (const [table, columns] of await textColumns(db)) {
    if (except.includes(table)) continue;
    const texts = columns.filter(({ is_json: isJson }) => !isJson).map(({ column_name: name }) => ident(name));
    if (texts.length > 0) {
      const cleaned = texts.map((text) => sql`${text} = regexp_replace(${text}, ${pattern}, ${replacement}, 'gi')`);
      const found = texts.map((text) => sql`${text} ~* ${pattern}`);
      await db.execute(sql`update ${ident(table)} set ${join(cleaned)} where ${join(found, sql` or `)}`);
    }
    for (const { column_name: name } of columns.filter(({ is_json: isJson }) => isJson)) {
      await replaceInJson(db, ident(table), ident(name), asked);
    }
  }
}

/** A number that looks like a phone number is not text, so the texts of a value are replaced one by one. */
async function replaceInJson(db: Queryable, table: Sql, column: Sql, asked: Replacing): Promise<void> {
  const rows = await db.query<{ place: string; value: string }>(sql`
    select ctid::text as place, ${column}::text as value from ${table} where ${column}::text ~* ${asked.pattern} for update`);
  const clean = jsonCleaner(asked);
  for (const { place, value } of rows) {
    await db.execute(sql`update ${table} set ${column} = ${clean(value)}::jsonb where ctid = ${place}::tid`);
  }
}

/** Replaces in the texts and keys of a JSON value, as text. */
export function jsonCleaner({ pattern, replacement }: Replacing): (json: string) => string {
  const search = new RegExp(pattern.replaceAll('[[:alnum:]]', '[\\p{L}\\p{N}]'), 'giu');
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(search, replacement);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key.replace(search, replacement), clean(each)]),
    );
  };
  return (json) => JSON.stringify(clean(JSON.parse(json)));
}

async function textColumns(db: Queryable): Promise<ReadonlyMap<string, readonly TextColumn[]>> {
  const columns = await db.query<TextColumn>(sql`
    select c.table_name::text, c.column_name::text, c.data_type = 'jsonb' as is_json
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      and c.data_type in ('text', 'character varying', 'jsonb')
    order by c.table_name, c.ordinal_position`);
  const tables = new Map<string, TextColumn[]>();
  for (const column of columns) {
    tables.set(column.table_name, [...(tables.get(column.table_name) ?? []), column]);
  }
  return tables;
}

interface Leftovers {
  readonly table: string;
  readonly ids: readonly number[];
  /**
   * Names of all tables, and of the columns of this one, that are in use: the others belong to modules that are not
   * installed.
   */
  readonly usedTables: ReadonlySet<string>;
  readonly usedColumns: ReadonlySet<string>;
}

/**
 * Clears data that uninstalled modules left behind: their columns, and rows of their tables that refer to these rows.
 */
export async function emptyLeftovers(db: Queryable, leftovers: Leftovers): Promise<void> {
  const { table, ids, usedTables, usedColumns } = leftovers;
  if (ids.length === 0) return;
  const own = await parkedColumns(db, table, (name) => usedColumns.has(name));
  await emptyColumns(db, table, own, sql`id = any(${ids}::int4[])`);
  const pointing = await db.query<{ table_name: string; column_name: string }>(sql`
    select r.relname::text as table_name, a.attname::text as column_name
    from pg_constraint k join pg_class r on r.oid = k.conrelid
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid = to_regclass(${table}) and r.relnamespace = current_schema()::regnamespace
    order by 1, 2`);
  for (const { table_name: name, column_name: column } of pointing) {
    if (usedTables.has(name)) continue;
    const all = await parkedColumns(db, name, (each) => each === column || each === 'id');
    await emptyColumns(db, name, all, sql`${ident(column)} = any(${ids}::int4[])`);
  }
}

async function parkedColumns(db: Queryable, table: string, isUsed: (name: string) => boolean): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select column_name::text as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_nullable = 'YES' order by ordinal_position`);
  return rows.map(({ name }) => name).filter((name) => !isUsed(name));
}

async function emptyColumns(db: Queryable, table: string, columns: readonly string[], where: Sql): Promise<void> {
  if (columns.length === 0) return;
  const emptied = columns.map((name) => sql`${ident(name)} = null`);
  await db.execute(sql`update ${ident(table)} set ${join(emptied)} where ${where}`);
}
