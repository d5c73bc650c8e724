import { ident, parkColumns, parkTable, type Queryable, sql, type Transaction } from '@kontor/database';
import {
  type Env,
  noteCounters,
  putBackExternalIds,
  type Registry,
  readExternalIds,
  sysSequence,
  tableSpecs,
  takeOutExternalIds,
} from '@kontor/orm';
import { groupBy } from './data/group-by.ts';

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

/** Puts the rows aside that a module needs when it comes back: external ids of parked records, and its migrations. */
export async function parkRows(tx: Transaction, module: string, parkedModels: readonly string[]): Promise<void> {
  await makeParkedRows(tx);
  // Without its external ids a module that comes back would load its records twice.
  const externalIds = await takeOutExternalIds(tx, module, parkedModels);
  await tx.execute(sql`
    insert into ${ident(parkedRows)} (module, source, content)
    select ${module}, 'external_ids', row from jsonb_array_elements(${JSON.stringify(externalIds)}::jsonb) as row`);
  await tx.execute(sql`
    with gone as (delete from sys_migration where module = ${module} returning *)
    insert into ${ident(parkedRows)} (module, source, content)
    select module, 'sys_migration', to_jsonb(gone) from gone`);
  await dropWhenEmpty(tx);
}

/** Brings a module's rows back; tells whether there were any, and so whether its data come back with it. */
export async function restoreRows(tx: Transaction, module: string): Promise<boolean> {
  if (!(await isThere(tx))) return false;
  const migrations = await tx.execute(sql`
    with back as (
      delete from ${ident(parkedRows)} where module = ${module} and source = 'sys_migration' returning content
    )
    insert into sys_migration (module, name, checksum, applied_at)
    select row.module, row.name, row.checksum, row.applied_at
    from back, jsonb_populate_record(null::sys_migration, back.content) as row
    on conflict do nothing`);
  // All others but values are external ids: earlier versions gave them another source.
  const rows = await tx.query<{ content: string }>(sql`
    delete from ${ident(parkedRows)} where module = ${module} and source <> 'values' returning content::text`);
  const externalIds = await putBackExternalIds(
    tx,
    rows.map(({ content }) => JSON.parse(content) as object),
  );
  await dropWhenEmpty(tx);
  return migrations + externalIds > 0;
}

/** What people did with records that the module's data made, and that go with it: the numbers that were given, who is in a group. */
interface ParkedValues {
  readonly id: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Puts the `parked` fields of a module's records aside, by external id, before the records go. */
export async function parkValues(env: Env, tx: Transaction, module: string): Promise<void> {
  const ids = [...(await readExternalIds(env, module)).values()].filter((each) => each.resId !== 0);
  const parked: ParkedValues[] = [];
  for (const [name, group] of groupBy(ids, (each) => each.model)) {
    const fields = parkedFields(env, name);
    if (fields.length === 0) continue;
    const records = group.map((each) => each.resId);
    if (name === sysSequence.name) await noteCounters(env, records);
    const there = await env.model(name).searchRead([['id', 'in', records]], fields);
    const idOf = new Map(group.map(({ id, resId }) => [resId, id]));
    parked.push(...there.map(({ id, ...values }) => ({ id: idOf.get(id) as string, values })));
  }
  if (parked.length === 0) return;
  await makeParkedRows(tx);
  await tx.execute(sql`
    insert into ${ident(parkedRows)} (module, source, content)
    select ${module}, 'values', row from jsonb_array_elements(${JSON.stringify(parked)}::jsonb) as row`);
}

/** Gives them to the records of the same external ids, once the module's data are there again. */
export async function restoreValues(env: Env, tx: Transaction, module: string): Promise<void> {
  if (!(await isThere(tx))) return;
  const rows = await tx.query<{ content: string }>(sql`
    delete from ${ident(parkedRows)} where module = ${module} and source = 'values' returning content::text`);
  await dropWhenEmpty(tx);
  const ids = await readExternalIds(env, module);
  for (const { id, values } of rows.map(({ content }) => JSON.parse(content) as ParkedValues)) {
    const record = ids.get(id);
    if (!record || record.resId === 0) continue;
    const given: Record<string, unknown> = {};
    for (const name of parkedFields(env, record.model)) {
      if (values[name] !== undefined) given[name] = await stillThere(env, record.model, name, values[name]);
    }
    await env.model(record.model).write([record.resId], given);
  }
}

function parkedFields({ registry }: Env, model: string): string[] {
  const fields = [...(registry.models.get(model)?.fields.values() ?? [])];
  return fields.flatMap(({ name, spec }) => (spec.parked ? [name] : []));
}

/** A relation comes back to the records that are still there, besides those that it has by now. */
async function stillThere(env: Env, model: string, name: string, value: unknown): Promise<unknown> {
  const field = env.registry.model(model).fields.get(name);
  if (!field?.kind.isLinks) return value;
  const ids = await env.model(field.spec.relation as string).search([['id', 'in', value as number[]]]);
  return ids.map((id) => ['link', id]);
}

async function makeParkedRows(tx: Transaction): Promise<void> {
  await tx.execute(sql`create table if not exists ${ident(parkedRows)} (
    module text not null, source text not null, content jsonb not null)`);
}

async function isThere(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ is_there: boolean }>(sql`select to_regclass(${parkedRows}) is not null as is_there`);
  return row?.is_there ?? false;
}

async function dropWhenEmpty(tx: Transaction): Promise<void> {
  const rows = await tx.query(sql`select 1 as found from ${ident(parkedRows)} limit 1`);
  if (rows.length === 0) await tx.execute(sql`drop table ${ident(parkedRows)}`);
}
