import { ident, sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { AddonError, type Place } from '../addon-error.ts';
import { groupBy } from './group-by.ts';

/** A row of sys.model.data: which record an external id stands for. */
export interface ExternalId {
  readonly rowId: number;
  /** With its module. */
  readonly id: string;
  readonly model: string;
  readonly resId: number;
  readonly noupdate: boolean;
  /** Of the values a data file gave; null for ids that did not come from a file. */
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

/** Those of some records that data files of the given modules named. */
export async function namedBy(
  env: Env,
  modules: readonly string[],
  model: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await env.db.query<{ res_id: number }>(sql`
    select res_id from ${table(env)}
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
    select id, module || '.' || name as full_id, model, res_id, coalesce(noupdate, false) as noupdate, checksum
    from ${table(env)}
    where module = ${module} or module || '.' || name = any(${[...others]}::text[])
    order by id`);
  return new Map(rows.map((row) => [row.full_id, asExternalId(row)]));
}

function asExternalId(row: Row): ExternalId {
  const { id, full_id, res_id, ...rest } = row;
  return { rowId: id, id: full_id, resId: res_id, ...rest };
}

/** Every external id there is, for suggestions. */
export async function listExternalIds(env: Env): Promise<readonly string[]> {
  const rows = await env.db.query<{ full_id: string }>(
    sql`select module || '.' || name as full_id from ${table(env)} where res_id <> 0`,
  );
  return rows.map((row) => row.full_id);
}

export async function insertExternalIds(env: Env, ids: readonly NewExternalId[]): Promise<void> {
  if (ids.length === 0) return;
  await env.model('sys.model.data').createMany(
    ids.map(({ id, model, resId, noupdate, checksum }) => {
      const dot = id.indexOf('.');
      return { module: id.slice(0, dot), name: id.slice(dot + 1), model, res_id: resId, noupdate, checksum };
    }),
  );
}

export async function updateExternalIds(env: Env, ids: readonly ExternalId[]): Promise<void> {
  if (ids.length === 0) return;
  await env.db.execute(sql`
    update ${table(env)} as d
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
  if (rowIds.length > 0) await env.db.execute(sql`delete from ${table(env)} where id = any(${rowIds}::int4[])`);
}

/** Those of the given external ids whose record is gone: people deleted it, or its model is no longer served. */
export async function danglingIds(env: Env, ids: Iterable<ExternalId>): Promise<ReadonlySet<string>> {
  const byModel = groupBy(ids, (each) => each.model);
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

function table(env: Env) {
  return ident(env.registry.model('sys.model.data').table);
}

const ownPattern = /^[A-Za-z_][A-Za-z0-9_-]{0,127}$/;
const fullPattern = /^[a-z][a-z0-9_]*\.[A-Za-z_][A-Za-z0-9_-]{0,127}$/;

/** The full external id of a record that a file defines; its module is always the file's own. */
export function ownExternalId(name: string, place: Place): string {
  const bare = name.startsWith(`${place.addon}.`) ? name.slice(place.addon.length + 1) : name;
  if (bare.includes('.'))
    throw new AddonError(place, `"${name}" belongs to another addon; records of others are theirs.`);
  if (!ownPattern.test(bare)) throw new AddonError(place, `"${name}" is not an external id: letters, digits, _ and -.`);
  return `${place.addon}.${bare}`;
}

/** The full external id that a reference means: bare names are those of the same addon. */
export function referredId(name: string, place: Place): string {
  const full = name.includes('.') ? name : `${place.addon}.${name}`;
  if (!fullPattern.test(full)) throw new AddonError(place, `"${name}" is not an external id such as base.group_user.`);
  return full;
}

/** `a, module.b` as full external ids. */
export function referredIds(names: string, place: Place): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => referredId(name, place));
}
