import { ident, type Queryable, sql } from '@kontor/database';
import { type Env, type ModelDefinition, type Registry, recomputeAll } from '@kontor/orm';

/** `model.field` of every stored compute that the database knows of; empty before the first install. */
export async function knownComputes(db: Queryable): Promise<ReadonlySet<string>> {
  const [table] = await db.query<{ is_there: boolean }>(sql`select to_regclass('sys_field') is not null as is_there`);
  if (!table?.is_there) return new Set();
  const rows = await db.query<{ name: string }>(
    sql`select model || '.' || name as name from sys_field where stored and computed`,
  );
  return new Set(rows.map((row) => row.name));
}

/** `model.field` of the computes that these definitions bring or change. */
export function computesOf(registry: Registry, definitions: readonly ModelDefinition[]): ReadonlySet<string> {
  return new Set(
    definitions
      .filter((definition) => registry.models.has(definition.name))
      .flatMap((definition) => Object.keys(definition.computes).map((field) => `${definition.name}.${field}`)),
  );
}

/** Fills the stored computes that are not known yet, or whose rule changed, on every record that is there. */
export async function recomputeNew(
  env: Env,
  known: ReadonlySet<string>,
  changed: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (const model of env.registry.models.values()) {
    const names = env.registry
      .storedComputes(model.name)
      .map((field) => field.name)
      .filter((name) => !known.has(`${model.name}.${name}`) || changed.has(`${model.name}.${name}`));
    if (names.length > 0 && (await hasRows(env, model.table))) await recomputeAll(env, model, names);
  }
}

async function hasRows(env: Env, table: string): Promise<boolean> {
  const rows = await env.db.query(sql`select 1 as found from ${ident(table)} limit 1`);
  return rows.length > 0;
}
