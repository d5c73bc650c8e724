import { and, ident, type Sql, sql } from '@kontor/database';
import type { Env, Field, Model } from '@kontor/orm';
import { moveIdsInValues, type Renames } from './rename-paths.ts';

/** The fields that hold a record's id beside the name of its model. */
const idFields: Readonly<Record<string, string>> = { model: 'res_id', about_model: 'about_id' };

/** Records of joined models have new ids: rows that name them by model and id, references, and values by field follow. */
export async function moveJoinedIds(env: Env, renames: Renames): Promise<void> {
  for (const model of env.registry.models.values()) {
    if (model.served) continue;
    const columns = [...model.fields.values()].filter(({ column }) => column !== null);
    for (const field of columns.filter(({ kind }) => kind.isReference))
      await moveReferences(env, model, field, renames);
    const of = columns.find(({ spec }) => spec.names === 'model');
    if (!of) continue;
    const id = model.fields.get(idFields[of.name] ?? '');
    if (id?.column) await moveRows(env, { model, of, id }, renames);
    for (const field of columns.filter(({ kind, spec }) => kind.isJson && spec.names === undefined))
      await moveValues(env, { model, of, field }, renames);
  }
}

/** Rows that would say the same of a joined record as another row are deleted: a record has been opened once by each person. */
async function moveRows(
  { db }: Env,
  { model, of, id }: { readonly model: Model; readonly of: Field; readonly id: Field },
  { ids, models }: Renames,
): Promise<void> {
  const [table, name, record] = [ident(model.table), ident(of.column as string), ident(id.column as string)];
  for (const [old, moved] of ids) {
    const now = models.get(old) as string;
    const pairs = sql`unnest(${[...moved.keys()]}::integer[], ${[...moved.values()]}::integer[]) as m(old, new)`;
    const theirs = sql`r.${name} = ${old} and r.${record} = m.old`;
    for (const unique of model.uniques.filter(({ fields }) => fields.includes(id.name))) {
      const others = unique.fields.filter((each) => each !== id.name && each !== of.name);
      const same = others.map((each): Sql => {
        const column = ident(model.fields.get(each)?.column ?? each);
        return sql`o.${column} is not distinct from r.${column}`;
      });
      await db.execute(sql`delete from ${table} r using ${pairs} where ${theirs} and exists (
        select from ${table} o where ${and([sql`o.${name} = ${now}`, sql`o.${record} = m.new`, ...same])})`);
    }
    await db.execute(sql`update ${table} r set ${name} = ${now}, ${record} = m.new from ${pairs} where ${theirs}`);
  }
}

async function moveReferences({ db }: Env, model: Model, { column }: Field, { ids, models }: Renames): Promise<void> {
  const at = ident(column as string);
  for (const [old, moved] of ids) {
    const before = [...moved.keys()].map((id) => `${old},${id}`);
    const after = [...moved.values()].map((id) => `${models.get(old)},${id}`);
    await db.execute(sql`update ${ident(model.table)} set ${at} = m.new
      from unnest(${before}::text[], ${after}::text[]) as m(old, new) where ${at} = m.old`);
  }
}

async function moveValues(
  { db, registry }: Env,
  { model, of, field }: { readonly model: Model; readonly of: Field; readonly field: Field },
  renames: Renames,
): Promise<void> {
  const [at, name] = [ident(field.column as string), ident(of.column as string)];
  const keys = [...renames.relations.values()].flatMap((fields) =>
    [...fields].flatMap(([key, relation]) => (renames.ids.has(relation) ? [`"${key}"`, `"default_${key}"`] : [])),
  );
  const cells = await db.arrays(sql`select id, ${name}, ${at}::text from ${ident(model.table)}
    where ${name} is not null and exists (select from unnest(${keys}::text[]) key where strpos(${at}::text, key) > 0) order by id`);
  for (const [id, about, value] of cells as unknown as [number, string, string][]) {
    const moved = moveIdsInValues(value, { registry, renames, model: about });
    if (moved !== value)
      await db.execute(sql`update ${ident(model.table)} set ${at} = ${moved}::jsonb where id = ${id}`);
  }
}
