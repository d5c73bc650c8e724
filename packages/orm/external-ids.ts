import { ident, type Queryable, type Sql, sql } from '@kontor/database';
import { didYouMean, invalidArgs, KontorError, nearest } from '@kontor/protocol';
import { fields } from './author/author.ts';
import type { FieldsOf } from './author/field.ts';
import { rulePredicate } from './domain/rule-predicate.ts';
import { defineModel } from './model/define-model.ts';
import type { Env, Model } from './model/model.ts';

const dataFields = {
  module: fields.char({ required: true, size: 64 }),
  name: fields.char({ required: true, size: 128 }),
  model: fields.char({ required: true, size: 128, names: 'model' }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  noupdate: fields.boolean({}),
  checksum: fields.char({ size: 64 }),
};
export interface SysModelData extends FieldsOf<typeof dataFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.model.data': SysModelData;
  }
}

export const sysModelData = defineModel('sys.model.data', {
  label: 'External id',
  noCompany: 'An external id belongs to its record.',
  order: 'module, name',
  displayName: '{module}.{name}',
  quiet: true,
  fields: dataFields,
  uniques: { module_and_name: { fields: ['module', 'name'] } },
  indexes: ['model, res_id'],
});

/** A row of sys.model.data: the record that an external id names. */
export interface ExternalId {
  readonly rowId: number;
  /** With its module. */
  readonly id: string;
  readonly model: string;
  /** 0 if the record was deleted and the name is kept. */
  readonly resId: number;
  readonly noupdate: boolean;
  /** The hash of the values in a data file; null for ids that did not come from a file. */
  readonly checksum: string | null;
}
export type NewExternalId = Omit<ExternalId, 'rowId'>;

interface Row {
  readonly id: number;
  readonly full_id: string;
  readonly model: string;
  readonly res_id: number;
  readonly noupdate: boolean;
  readonly checksum: string | null;
}

const columns = sql`
  id, module || '.' || name as full_id, model, res_id, coalesce(noupdate, false) as noupdate, checksum`;

function toExternalId({ id, full_id, res_id, ...rest }: Row): ExternalId {
  return { rowId: id, id: full_id, resId: res_id, ...rest };
}

/** The rows of these ids, by both parts of each, which are indexed. */
function isNamed(ids: Iterable<string>): Sql {
  const parts = [...ids].map(splitExternalId);
  const [modules, names] = [parts.map(({ module }) => module), parts.map(({ name }) => name)];
  return sql`(module, name) in (select * from unnest(${modules}::text[], ${names}::text[]))`;
}

/** The record that `module.name` names. External ids belong to the server, so no rights are checked. */
export async function findRecord(env: Env, externalId: string): Promise<number> {
  const dot = externalId.indexOf('.');
  if (dot < 1 || dot === externalId.length - 1) {
    throw invalidArgs(`"${externalId}" is not an external id such as base.group_user.`);
  }
  const { module, name } = splitExternalId(externalId);
  const [row] = await env.db.arrays(
    sql`select res_id from sys_model_data where module = ${module} and name = ${name} and res_id <> 0`,
  );
  if (row !== undefined) return row[0] as number;
  const known = await listExternalIds(env);
  const hint = nearest(externalId, known);
  throw new KontorError('NOT_FOUND', `There is no record ${externalId}.${didYouMean(externalId, known)}`, {
    external_id: externalId,
    ...(hint === null ? {} : { hint }),
  });
}

/** The records of one model that the external ids name; unknown ones are left out. No rights are checked. */
export async function findRecords(env: Env, model: Model, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await env.db.arrays(sql`
    select module || '.' || name, res_id from sys_model_data
    where model = ${model.name} and ${isNamed(ids)}`);
  return new Map(rows.map(([id, resId]) => [id as string, resId as number]));
}

/** The requested names of records of one model. */
export interface NamesAsked {
  readonly ids: readonly string[] | null;
  readonly resIds: readonly number[] | null;
  readonly limit: number;
  readonly offset: number;
}

/** External ids of records that the caller may read. */
export async function readNames(env: Env, model: Model, asked: NamesAsked): Promise<readonly ExternalId[]> {
  const { ids, resIds, limit, offset } = asked;
  const rules = rulePredicate(env, model, 'read', 't');
  const rows = await env.db.query<Row>(sql`
    select d.* from (
      select ${columns} from sys_model_data where model = ${model.name} and ${ids ? isNamed(ids) : sql`true`}
        and ${resIds ? sql`res_id = any(${resIds}::int4[])` : sql`true`}
    ) d join ${ident(model.table)} t on t.id = d.res_id
    where ${rules ?? sql`true`}
    order by d.id limit ${limit}::int4 offset ${offset}::int4`);
  return rows.map(toExternalId);
}

/** External ids by the ids of their rows. No rights are checked. */
export async function namesByRow(env: Env, rowIds: readonly number[]): Promise<readonly ExternalId[]> {
  const rows = await env.db.query<Row>(sql`
    select ${columns} from sys_model_data where id = any(${rowIds}::int4[]) and res_id <> 0 order by id`);
  return rows.map(toExternalId);
}

/**
 * Callers that assign external ids with the same prefix wait for each other, so that two do not create the same record.
 */
export async function lockPrefixes(env: Env, ids: readonly string[]): Promise<void> {
  const prefixes = [...new Set(ids.map((id) => splitExternalId(id).module))].sort();
  await env.db.execute(sql`
    select pg_advisory_xact_lock(hashtextextended(prefix, 20150)) from unnest(${prefixes}::text[]) as prefix`);
}

/** The records that data files of the given modules named. */
export async function recordsNamedBy(
  env: Env,
  modules: readonly string[],
  model: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await env.db.query<{ res_id: number }>(sql`
    select res_id from sys_model_data
    where module = any(${modules}::text[]) and model = ${model} and res_id = any(${ids}::int4[])`);
  return new Set(rows.map((row) => row.res_id));
}

/** All external ids of a module, and the given ones of others. */
export async function readExternalIds(
  env: Env,
  module: string,
  others: Iterable<string> = [],
): Promise<Map<string, ExternalId>> {
  const rows = await env.db.query<Row>(sql`
    select ${columns} from sys_model_data
    where module = ${module} or ${isNamed(others)}
    order by id`);
  return new Map(rows.map((row) => [row.full_id, toExternalId(row)]));
}

/** Every external id of an existing record, for suggestions. */
export async function listExternalIds(env: Env): Promise<readonly string[]> {
  const rows = await env.db.arrays(sql`select module || '.' || name from sys_model_data where res_id <> 0`);
  return rows.map(([id]) => id as string);
}

export async function insertExternalIds(env: Env, ids: readonly NewExternalId[]): Promise<void> {
  if (ids.length === 0) return;
  await env.model('sys.model.data').createMany(
    ids.map(({ id, model, resId, noupdate, checksum }) => {
      return { ...splitExternalId(id), model, res_id: resId, noupdate, checksum };
    }),
  );
}

export async function updateExternalIds(env: Env, ids: readonly ExternalId[]): Promise<void> {
  if (ids.length === 0) return;
  await env.db.execute(sql`
    update sys_model_data as d
    set res_id = given.res_id, noupdate = given.noupdate, checksum = given.checksum
    from unnest(
      ${ids.map((each) => each.rowId)}::int4[],
      ${ids.map((each) => each.resId)}::int4[],
      ${ids.map((each) => each.noupdate)}::bool[],
      ${ids.map((each) => each.checksum)}::text[]
    ) as given (id, res_id, noupdate, checksum)
    where d.id = given.id`);
}

export async function deleteExternalIds(env: Env, rowIds: readonly number[]): Promise<void> {
  if (rowIds.length > 0) await env.db.execute(sql`delete from sys_model_data where id = any(${rowIds}::int4[])`);
}

/**
 * Assigns user-chosen ids to new records of a model. An id whose record is gone is reassigned. Returns the ids that
 * were free; the others already name a record.
 */
export async function bindExternalIds(
  env: Env,
  model: string,
  records: readonly { readonly externalId: string; readonly id: number }[],
): Promise<ReadonlySet<string>> {
  const names = records.map(({ externalId }) => splitExternalId(externalId));
  const bound = await env.db.arrays(sql`
    insert into sys_model_data as known
      (module, name, model, res_id, noupdate, create_date, create_uid, write_date, write_uid)
    select module, name, ${model}, res_id, true, now(), ${env.uid}::int4, now(), ${env.uid}::int4
    from unnest(${names.map((each) => each.module)}::text[], ${names.map((each) => each.name)}::text[],
      ${records.map((each) => each.id)}::int4[]) as given(module, name, res_id)
    on conflict (module, name) do update set model = excluded.model, res_id = excluded.res_id, write_date = now()
      where known.res_id = 0
    returning module || '.' || name`);
  return new Set(bound.map(([id]) => id as string));
}

/** The external ids that name a record of any model, visible or not. Ids of deleted records become free. */
export async function takenExternalIds(env: Env, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await env.db.query<Row>(sql`
    select ${columns} from sys_model_data where res_id <> 0 and ${isNamed(ids)}`);
  const known = rows.map(toExternalId);
  // The records of an uninstalled module are parked with their table, not gone.
  const gone = await danglingIds(
    env,
    known.filter((each) => env.registry.models.has(each.model)),
  );
  const free = known.filter((each) => gone.has(each.id)).map((each) => each.rowId);
  if (free.length > 0) await env.db.execute(sql`update sys_model_data set res_id = 0 where id = any(${free}::int4[])`);
  return known.flatMap((each) => (gone.has(each.id) ? [] : each.id));
}

/** The given external ids whose record is gone: deleted by a user, or its model is no longer served. */
export async function danglingIds(env: Env, ids: Iterable<ExternalId>): Promise<ReadonlySet<string>> {
  const byModel = new Map<string, ExternalId[]>();
  for (const each of ids) byModel.set(each.model, [...(byModel.get(each.model) ?? []), each]);
  const dangling = new Set<string>();
  for (const [name, group] of byModel) {
    const model = env.registry.models.get(name);
    const there = model
      ? await env.db.query<{ id: number }>(
          sql`select id from ${ident(model.table)} where id = any(${group.map((each) => each.resId)}::int4[])`,
        )
      : [];
    const alive = new Set(there.map((row) => row.id));
    for (const each of group) if (!alive.has(each.resId)) dangling.add(each.id);
  }
  return dangling;
}

/** The name of a deleted record is kept without it (`res_id` 0) if an upgrade must not create the record again. */
export async function forgetRecords(env: Env, model: Model, ids: readonly number[]): Promise<void> {
  if (!env.registry.models.has(sysModelData.name) || model.name === sysModelData.name) return;
  await env.db.execute(sql`
    with kept as (
      update sys_model_data set res_id = 0
      where model = ${model.name} and res_id = any(${ids}::int4[]) and noupdate
    )
    delete from sys_model_data
    where model = ${model.name} and res_id = any(${ids}::int4[]) and noupdate is not true`);
}

/** In SQL: whether an external id names the record; optionally only one of a data file. */
export function hasExternalId(model: string, id: Sql, { isFromFile = false } = {}): Sql {
  const fromFile = isFromFile ? sql`and d.checksum is not null` : sql``;
  return sql`exists (select from sys_model_data d where d.model = ${model} and d.res_id = ${id} ${fromFile})`;
}

/** The rows of external ids that name these records, of any module. */
export async function rowsNaming(db: Queryable, model: string, ids: readonly number[]): Promise<readonly number[]> {
  const rows = await db.arrays(sql`
    select id from sys_model_data where model = ${model} and res_id = any(${ids}::int4[])`);
  return rows.map(([id]) => id as number);
}

/** Removes the external ids that a module gave to records of some models, and returns the rows for later. */
export async function takeOutExternalIds(
  db: Queryable,
  module: string,
  models: readonly string[],
): Promise<readonly object[]> {
  return db.query<object>(sql`
    delete from sys_model_data where module = ${module} and model = any(${models}::text[])
    returning module, name, model, res_id, noupdate, checksum`);
}

/** Restores rows that `takeOutExternalIds` returned; returns their number. */
export function putBackExternalIds(db: Queryable, rows: readonly object[]): Promise<number> {
  return db.execute(sql`
    insert into sys_model_data (module, name, model, res_id, noupdate, checksum)
    select module, name, model, res_id, noupdate, checksum
    from jsonb_populate_recordset(null::sys_model_data, ${JSON.stringify(rows)}::jsonb)
    on conflict do nothing`);
}

/** The format of user-chosen ids. */
export const externalIdPattern = /^[a-z][a-z0-9_]{0,63}\.[A-Za-z_][A-Za-z0-9_-]{0,127}$/;

export function splitExternalId(id: string): { readonly module: string; readonly name: string } {
  const dot = id.indexOf('.');
  return { module: id.slice(0, dot), name: id.slice(dot + 1) };
}
