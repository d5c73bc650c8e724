import { ident, type JoinedTable, type Queryable, sql } from '@kontor/database';
import { type Env, earlierNames, type Field, type Model, type Registry } from '@kontor/orm';
import { openXml } from '@kontor/views';
import { moveJoinedIds } from './move-joined-ids.ts';
import { type NamesFields, pathsIn, type Renames, renameIn } from './rename-paths.ts';

/** The renames that the database still has under an older name. Read before its rows are updated to the new models. */
export async function declaredRenames(db: Queryable, registry: Registry): Promise<Renames> {
  const models = new Map<string, string>();
  const fields = new Map<string, Map<string, string>>();
  const known = await knownFields(db);
  for (const model of registry.models.values()) {
    for (const name of model.was) models.set(name, model.name);
    const names = new Set([model.name, ...model.was].flatMap((name) => [...(known.get(name)?.keys() ?? [])]));
    for (const field of model.fields.values()) {
      for (const old of earlierNames(field.spec).filter((name) => names.has(name))) {
        fields.set(model.name, (fields.get(model.name) ?? new Map()).set(old, field.name));
      }
    }
  }
  return { models, fields, ids: new Map(), relations: known };
}

/** The fields of each model with the models that they refer to, or an empty text. */
async function knownFields(db: Queryable): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const [table] = await db.query<{ is_there: boolean }>(sql`select to_regclass('sys_field') is not null as is_there`);
  if (!table?.is_there) return new Map();
  const rows = await db.query<{ model: string; names: string }>(
    sql`select model, json_object_agg(name, coalesce(relation, ''))::text as names from sys_field group by model`,
  );
  return new Map(
    rows.map((row) => [row.model, new Map(Object.entries(JSON.parse(row.names) as Record<string, string>))]),
  );
}

/** With the new ids of joined records. */
export function withJoined(renames: Renames, registry: Registry, joined: readonly JoinedTable[]): Renames {
  const ids = [...registry.models.values()].flatMap(({ was, table }) =>
    was.flatMap((name) => {
      const one = joined.find(({ from, to }) => to === table && from === name.replaceAll('.', '_'));
      return one ? [[name, one.ids] as const] : [];
    }),
  );
  return { ...renames, ids: new Map(ids) };
}

/**
 * Renames models and fields in the rows that name them: rights, rules, searches, tiles, automations, messages, views. Ids of joined
 * records change there too.
 */
export async function renameReferences(env: Env, renames: Renames): Promise<void> {
  if (renames.models.size + renames.fields.size === 0) return;
  await openXml();
  for (const naming of namingFields(env.registry)) await renameFields(env, naming, renames);
  if (renames.ids.size > 0) await moveJoinedIds(env, renames);
  for (const model of env.registry.models.values()) {
    if (model.served) continue;
    for (const field of model.fields.values()) {
      if (field.column !== null && field.spec.names === 'model') await renameModels(env, model, field, renames);
      else if (field.column !== null && field.kind.isReference) await renameRecords(env, model, field, renames);
    }
  }
}

async function renameModels({ db }: Env, model: Model, { column }: Field, { models }: Renames): Promise<void> {
  const at = ident(column as string);
  await db.execute(sql`update ${ident(model.table)} set ${at} = names.new
    from unnest(${[...models.keys()]}::text[], ${[...models.values()]}::text[]) as names(old, new) where ${at} = names.old`);
}

async function renameRecords({ db }: Env, model: Model, { column }: Field, { models }: Renames): Promise<void> {
  const at = ident(column as string);
  await db.execute(sql`update ${ident(model.table)} set ${at} = names.new || ',' || split_part(${at}, ',', 2)
    from unnest(${[...models.keys()]}::text[], ${[...models.values()]}::text[]) as names(old, new)
    where split_part(${at}, ',', 1) = names.old`);
}

interface Naming {
  readonly model: Model;
  /** The field that contains the model whose fields are named. */
  readonly of: Field;
  readonly field: Field;
}

function namingFields({ models }: Registry): Naming[] {
  return [...models.values()].flatMap((model) => {
    const fields = [...model.fields.values()].filter(({ column }) => column !== null);
    const of = fields.find(({ spec }) => spec.names === 'model');
    if (!of || model.served) return [];
    return fields
      .filter(({ spec }) => spec.names !== undefined && spec.names !== 'model')
      .map((field) => ({ model, of, field }));
  });
}

async function renameFields(env: Env, { model, of, field }: Naming, renames: Renames): Promise<void> {
  const cells = await env.db.arrays(sql`
    select id, ${ident(of.column as string)}, ${ident(field.column as string)}::text from ${ident(model.table)}
    where ${ident(field.column as string)} is not null and ${ident(of.column as string)} is not null order by id`);
  for (const [id, name, value] of cells as unknown as [number, string, string][]) {
    const renamed = renameIn(field.spec.names as NamesFields, value, { registry: env.registry, renames, model: name });
    if (renamed === value) continue;
    const type = field.kind.column(field) === 'jsonb' ? sql`jsonb` : sql`text`;
    await env.db.execute(
      sql`update ${ident(model.table)} set ${ident(field.column as string)} = ${renamed}::${type} where id = ${id}`,
    );
  }
}

/** Rows that name a model or a field that no longer exists, one sentence each. */
export async function brokenReferences(env: Env): Promise<string[]> {
  const broken: string[] = [];
  const { models } = env.registry;
  for (const { model, of, field } of namingFields(env.registry)) {
    if (field.spec.names === 'arch') continue;
    const cells = await env.db.arrays(sql`
      select id, ${ident(of.column as string)}, ${ident(field.column as string)}::text from ${ident(model.table)}
      where ${ident(field.column as string)} is not null and ${ident(of.column as string)} is not null order by id`);
    for (const [id, name, value] of cells as unknown as [number, string, string][]) {
      const where = `${model.label} #${id} (${model.name}.${field.name})`;
      if (!models.has(name)) broken.push(`${where} is about ${name}, and there is no such model.`);
      else {
        const lost = pathsIn(field.spec.names as NamesFields, value).find((path) => !leads(env.registry, name, path));
        if (lost !== undefined) broken.push(`${where} names "${lost}", which ${name} does not have.`);
      }
    }
  }
  return broken;
}

/** A row that names a field. */
export interface NamingRow {
  readonly model: string;
  readonly id: number;
}

/** The rows whose domains, orders, queries, lists or views name a field, directly or at the end of a path. */
export async function rowsWithField(env: Env, model: string, field: string): Promise<readonly NamingRow[]> {
  const found = new Map<string, NamingRow>();
  for (const naming of namingFields(env.registry)) {
    const cells = await env.db.arrays(sql`
      select id, ${ident(naming.of.column as string)}, ${ident(naming.field.column as string)}::text
      from ${ident(naming.model.table)} where strpos(${ident(naming.field.column as string)}::text, ${field}) > 0 order by id`);
    for (const [id, name, value] of cells as unknown as [number, string, string][]) {
      const { names } = naming.field.spec;
      const isNamed =
        names === 'arch'
          ? name === model && value.includes(`"${field}"`)
          : pathsIn(names as NamesFields, value).some((path) => passes(env.registry, name, path, { model, field }));
      if (isNamed) found.set(`${naming.model.name} ${id}`, { model: naming.model.name, id });
    }
  }
  return [...found.values()];
}

/** The rows that name a model, such as rights, searches and automations; not those of its fields and of each change. */
export async function rowsOfModel(env: Env, name: string): Promise<readonly NamingRow[]> {
  const found: NamingRow[] = [];
  for (const model of env.registry.models.values()) {
    const of = [...model.fields.values()].find(({ column, spec }) => column !== null && spec.names === 'model');
    if (!of || model.served || model.quiet || model.isTransient) continue;
    const rows = await env.db.query<{ id: number }>(sql`
      select id from ${ident(model.table)} where ${ident(of.column as string)} = ${name} order by id limit 200`);
    found.push(...rows.map(({ id }) => ({ model: model.name, id })));
  }
  return found;
}

function passes(
  { models }: Registry,
  from: string,
  path: string,
  wanted: { readonly model: string; readonly field: string },
): boolean {
  let at = models.get(from);
  for (const step of path.split('.')) {
    if (at?.name === wanted.model && step === wanted.field) return true;
    at = models.get(at?.fields.get(step)?.spec.relation ?? '');
  }
  return false;
}

function leads({ models }: Registry, model: string, path: string): boolean {
  let at = models.get(model);
  for (const step of path.split('.')) {
    const field = at?.fields.get(step);
    if (!field) return false;
    at = models.get(field.spec.relation ?? '');
  }
  return true;
}
