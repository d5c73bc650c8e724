import { ident, parkColumns, parkTable, sql, type Transaction } from '@kontor/database';
import {
  type Env,
  type ExternalId,
  groupBy,
  noteCounters,
  putBackExternalIds,
  type Registry,
  readExternalIds,
  restored,
  rowsNaming,
  setCounters,
  sysModelData,
  sysSequence,
  tableSpecs,
  takeOutExternalIds,
} from '@kontor/orm';
import { rowsAbout } from './data/record-uses.ts';
import { dropWhenEmpty, hasParkedRows, makeParkedRows, parkedRows, parkRowsOf, putRowsBack } from './parked-rows.ts';

/** Tables and columns of a module that is not installed: they are not read until it is installed again. */
export interface ParkedSchema {
  readonly tables: readonly string[];
  readonly columns: ReadonlyMap<string, readonly string[]>;
}

/** Tables and columns that models declare now and would no longer declare. */
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

/** Puts the rows aside that a reinstall needs: external ids of parked records, and its migrations. */
export async function parkRows(tx: Transaction, module: string, parkedModels: readonly string[]): Promise<void> {
  await makeParkedRows(tx);
  // Without its external ids a reinstalled module would load its records twice.
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

/**
 * Puts records aside that are about to be deleted with a module, with their external ids and everything deleted with
 * them.
 */
export async function parkRecords(
  env: Env,
  tx: Transaction,
  module: string,
  ids: readonly ExternalId[],
): Promise<void> {
  if (ids.length === 0) return;
  const roots = new Map<string, number[]>();
  const add = (table: string, rows: readonly number[]) => roots.set(table, [...(roots.get(table) ?? []), ...rows]);
  for (const [name, group] of groupBy(ids, (each) => each.model)) {
    const records = group.map((each) => each.resId);
    if (name === sysSequence.name) await noteCounters(env, records);
    add(env.registry.model(name).table, records);
    add(env.registry.model(sysModelData.name).table, await rowsNaming(tx, name, records));
  }
  for (const [table, rows] of await rowsAbout(env, ids)) add(table, rows);
  await parkRowsOf(tx, module, roots);
}

/** What was restored with a module. */
export interface RestoredRows {
  /** Whether it was installed before, so that its data is restored. */
  readonly isReturning: boolean;
  /** Ids of the restored rows, by table. */
  readonly rows: ReadonlyMap<string, readonly number[]>;
}

/** Restores a module's rows, before the schema is synchronised. */
export async function restoreRows(tx: Transaction, module: string): Promise<RestoredRows> {
  if (!(await hasParkedRows(tx))) return { isReturning: false, rows: new Map() };
  const migrations = await tx.execute(sql`
    with back as (
      delete from ${ident(parkedRows)} where module = ${module} and source = 'sys_migration' returning content
    )
    insert into sys_migration (module, name, checksum, applied_at)
    select row.module, row.name, row.checksum, row.applied_at
    from back, jsonb_populate_record(null::sys_migration, back.content) as row
    on conflict do nothing`);
  const rows = await putRowsBack(tx, module);
  // All others except values are external ids: earlier versions used another source.
  const ids = await tx.query<{ content: string }>(sql`
    delete from ${ident(parkedRows)} where module = ${module} and source <> 'values' returning content::text`);
  const externalIds = await putBackExternalIds(
    tx,
    ids.map(({ content }) => JSON.parse(content) as object),
  );
  await dropWhenEmpty(tx);
  return { isReturning: migrations + externalIds + rows.size > 0, rows };
}

/** Informs computes, counters and readers of the change log of restored rows. */
export async function announceRestored(env: Env, { rows }: RestoredRows): Promise<void> {
  for (const model of env.registry.models.values()) {
    const ids = rows.get(model.table) ?? [];
    if (ids.length === 0) continue;
    if (model.name === sysSequence.name) await setCounters(env, ids);
    await restored(env, model, ids);
  }
}

/** Records of the module that stayed are disabled while it is uninstalled, if their model has such a state. */
export async function markAway(env: Env, module: string, isAway: boolean): Promise<void> {
  const ids = [...(await readExternalIds(env, module)).values()].filter((each) => each.resId !== 0);
  for (const [name, group] of groupBy(ids, (each) => each.model)) {
    if (!env.registry.models.get(name)?.fields.has('is_away')) continue;
    const records = group.map((each) => each.resId);
    const there = await env.model(name).search([
      ['id', 'in', records],
      ['is_away', '!=', isAway],
    ]);
    if (there.length > 0) await env.model(name).write(there, { is_away: isAway });
  }
}

/** What earlier versions stored of deleted records: single values, by external id. */
interface ParkedValues {
  readonly id: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Restores such values to the records with the same external ids, once the module's data is loaded again. */
export async function restoreValues(env: Env, tx: Transaction, module: string): Promise<void> {
  if (!(await hasParkedRows(tx))) return;
  const rows = await tx.query<{ content: string }>(sql`
    delete from ${ident(parkedRows)} where module = ${module} and source = 'values' returning content::text`);
  await dropWhenEmpty(tx);
  const ids = await readExternalIds(env, module);
  for (const { id, values } of rows.map(({ content }) => JSON.parse(content) as ParkedValues)) {
    const record = ids.get(id);
    if (!record || record.resId === 0) continue;
    const given: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(values)) given[name] = await stillThere(env, record.model, name, value);
    await env.model(record.model).write([record.resId], given);
  }
}

/** A relation is restored to the records that still exist, besides its current ones. */
async function stillThere(env: Env, model: string, name: string, value: unknown): Promise<unknown> {
  const field = env.registry.model(model).fields.get(name);
  if (!field?.kind.isLinks) return value;
  const ids = await env.model(field.spec.relation as string).search([['id', 'in', value as number[]]]);
  return ids.map((id) => ['link', id]);
}
