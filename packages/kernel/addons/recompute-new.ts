import { ident, type Queryable, sql } from '@kontor/database';
import {
  type Env,
  type Field,
  fillAll,
  type Model,
  type ModelDefinition,
  type Registry,
  recomputeAll,
} from '@kontor/orm';

/** `model.field` of every stored compute known to the database; empty before the first install. */
export async function knownComputes(db: Queryable): Promise<ReadonlySet<string>> {
  const [table] = await db.query<{ is_there: boolean }>(sql`select to_regclass('sys_field') is not null as is_there`);
  if (!table?.is_there) return new Set();
  const rows = await db.query<{ name: string }>(
    sql`select model || '.' || name as name from sys_field where stored and computed`,
  );
  return new Set(rows.map((row) => row.name));
}

/** Editable computes whose columns or links the database does not have yet. Determined before the schema changes. */
export async function newEditables(db: Queryable, registry: Registry): Promise<ReadonlyMap<Model, readonly Field[]>> {
  const fields = [...registry.models.values()].flatMap((model) =>
    registry.editableComputes(model.name).map((field) => ({ model, field, ...placeOf(model, field) })),
  );
  if (fields.length === 0) return new Map();
  const rows = await db.query<{ place: string }>(sql`
    select place.name as place from unnest(${fields.map(({ name }) => name)}::text[],
      ${fields.map(({ table }) => table)}::text[], ${fields.map(({ column }) => column)}::text[])
      as place(name, of_table, of_column)
    join pg_attribute a on a.attrelid = to_regclass(quote_ident(of_table)) and a.attname = of_column
      and not a.attisdropped`);
  const known = new Set(rows.map((row) => row.place));
  const fresh = new Map<Model, Field[]>();
  for (const { model, field, name } of fields) {
    if (!known.has(name)) fresh.set(model, [...(fresh.get(model) ?? []), field]);
  }
  return fresh;
}

function placeOf(model: Model, { name, column, through }: Field) {
  return { name: `${model.name}.${name}`, table: through?.table ?? model.table, column: through?.own ?? column };
}

/** Computes new editable computes on existing records: once, since users may override them afterwards. */
export async function fillNewEditables(env: Env, fresh: ReadonlyMap<Model, readonly Field[]>): Promise<void> {
  for (const [model, fields] of fresh) {
    if (await hasRows(env, model.table)) await fillAll(env, model, fields);
  }
}

/** `model.field` of the computes that these definitions add or change. */
export function computesOf(registry: Registry, definitions: readonly ModelDefinition[]): ReadonlySet<string> {
  return new Set(
    definitions
      .filter((definition) => registry.models.has(definition.name))
      .flatMap((definition) => Object.keys(definition.computes).map((field) => `${definition.name}.${field}`)),
  );
}

/** Stored computes that are new or whose rule changed, by model. */
export function newComputes(
  registry: Registry,
  known: ReadonlySet<string>,
  changed: ReadonlySet<string>,
): ReadonlyMap<Model, readonly string[]> {
  const fresh = new Map<Model, readonly string[]>();
  for (const model of registry.models.values()) {
    const names = registry
      .storedComputes(model.name)
      .map((field) => field.name)
      .filter((name) => !known.has(`${model.name}.${name}`) || changed.has(`${model.name}.${name}`));
    if (names.length > 0) fresh.set(model, names);
  }
  return fresh;
}

/** Fills them on all existing records. */
export async function recomputeNew(
  env: Env,
  known: ReadonlySet<string>,
  changed: ReadonlySet<string> = new Set(),
): Promise<void> {
  await fillComputes(env, newComputes(env.registry, known, changed));
}

export async function fillComputes(env: Env, fresh: ReadonlyMap<Model, readonly string[]>): Promise<void> {
  for (const [model, names] of fresh) {
    if (await hasRows(env, model.table)) await recomputeAll(env, model, names);
  }
}

async function hasRows(env: Env, table: string): Promise<boolean> {
  const rows = await env.db.query(sql`select 1 as found from ${ident(table)} limit 1`);
  return rows.length > 0;
}
