import { ident, join, parkColumns, parkTable, type Queryable, type Sql, sql, type Transaction } from '@kontor/database';
import { type Registry, tableSpecs } from '@kontor/orm';

/** Tables and columns of a module that is not installed: they are not read until it is installed again. */
export interface ParkedSchema {
  readonly tables: readonly string[];
  readonly columns: ReadonlyMap<string, readonly string[]>;
}

/** Tables and columns that the models ask for now and would not ask for any more. */
export function schemaToPark(before: Registry, after: Registry): ParkedSchema {
  const staying = new Map(tableSpecs(after).map((table) => [table.name, table]));
  const tables: string[] = [];
  const columns = new Map<string, readonly string[]>();
  for (const table of tableSpecs(before)) {
    const stays = staying.get(table.name);
    if (!stays) tables.push(table.name);
    const kept = new Set(stays?.columns.map((column) => column.name));
    const leaving = table.columns.map((column) => column.name).filter((name) => !kept.has(name));
    if (stays && leaving.length > 0) columns.set(table.name, leaving);
  }
  return { tables, columns };
}

export async function parkSchema(tx: Transaction, parked: ParkedSchema): Promise<void> {
  for (const table of parked.tables) await parkTable(tx, table);
  for (const [table, columns] of parked.columns) await parkColumns(tx, table, columns);
}

const parkedRows = 'kontor_parked_row';
/** Rows of the kernel that belong to parked data: without them a module that comes back would load its records twice. */
const sources = {
  sys_model_data: ['module', 'name', 'model', 'res_id', 'noupdate', 'checksum'],
  sys_migration: ['module', 'name', 'checksum', 'applied_at'],
} as const;
type Source = keyof typeof sources;

/** Puts the rows aside that a module needs when it comes back: external ids of parked records, and its migrations. */
export async function parkRows(tx: Transaction, module: string, parkedModels: readonly string[]): Promise<void> {
  await tx.execute(sql`create table if not exists ${ident(parkedRows)} (
    module text not null, source text not null, content jsonb not null)`);
  await moveOut(tx, 'sys_model_data', sql`module = ${module} and model = any(${parkedModels}::text[])`);
  await moveOut(tx, 'sys_migration', sql`module = ${module}`);
  await dropWhenEmpty(tx);
}

async function moveOut(tx: Transaction, source: Source, condition: Sql): Promise<void> {
  await tx.execute(sql`
    with gone as (delete from ${ident(source)} where ${condition} returning *)
    insert into ${ident(parkedRows)} (module, source, content)
    select module, ${source}, to_jsonb(gone) from gone`);
}

/** Brings a module's rows back; tells whether there were any, and so whether its data come back with it. */
export async function restoreRows(tx: Transaction, module: string): Promise<boolean> {
  if (!(await isThere(tx))) return false;
  let restored = 0;
  for (const [source, columns] of Object.entries(sources)) {
    const names = columns.map((column) => ident(column));
    restored += await tx.execute(sql`
      with back as (
        delete from ${ident(parkedRows)} where module = ${module} and source = ${source} returning content
      )
      insert into ${ident(source)} (${join(names)})
      select ${join(names.map((name) => sql`row.${name}`))}
      from back, jsonb_populate_record(null::${ident(source)}, back.content) as row
      on conflict do nothing`);
  }
  await dropWhenEmpty(tx);
  return restored > 0;
}

async function isThere(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ is_there: boolean }>(sql`select to_regclass(${parkedRows}) is not null as is_there`);
  return row?.is_there ?? false;
}

async function dropWhenEmpty(tx: Transaction): Promise<void> {
  const rows = await tx.query(sql`select 1 as found from ${ident(parkedRows)} limit 1`);
  if (rows.length === 0) await tx.execute(sql`drop table ${ident(parkedRows)}`);
}
