import { ident, join, type Sql, sql } from '@kontor/database';
import { KontorError, type Text, text } from '@kontor/protocol';
import { mayAccessModel } from '../access/model-access.ts';
import { forgetRecords } from '../external-ids.ts';
import { pointsByItself } from '../graph/ways-to.ts';
import type { Env, Field, Model, Registry } from '../model/model.ts';
import type { X2manyCommand } from '../model/records.ts';
import type { Concern } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { maxRecordsPerCall } from '../reading/check-records.ts';
import { searchRead } from '../reading/search-read.ts';

/** Records that refer to deleted records are deleted or emptied with them, or prevent the deletion. */
export const references: Concern = {
  name: 'references',
  plan: ({ operation }) => (operation === 'unlink' ? { detach: releaseAll, after: forgetGone } : null),
};

async function releaseAll(run: WriteRun): Promise<void> {
  await removeReferring(run);
  await checkUnreferred(run.env, run.model, run.ids, run.going);
}

/**
 * What the database would delete or empty by itself is done here first, so that hooks run, computes update and the
 * change is recorded. The owners are locked: nobody can add to them meanwhile.
 */
async function removeReferring({ env, model, ids, going, cascade }: WriteRun): Promise<void> {
  for (const { model: referring, field } of referrers(env.registry, model).following) {
    const found = await env.db.arrays(referringIds(referring, field, ids));
    const all = found.map(([id]) => id as number).filter((id) => !going.get(referring)?.has(id));
    for (let start = 0; start < all.length; start += maxRecordsPerCall) {
      const part = all.slice(start, start + maxRecordsPerCall);
      if (field.spec.ondelete === 'cascade') await cascade(referring, part);
      else {
        // Only the relation changes: no move, stage, lock or editable compute follows.
        const values = { [field.name]: withoutLinks(field, ids) };
        await env.sudo().model(referring.name).write(part, values, { restores: true });
      }
    }
  }
}

function referringIds(referring: Model, field: Field, ids: readonly number[]): Sql {
  if (field.through === null) {
    const column = ident(field.column as string);
    return sql`select id from ${ident(referring.table)} where ${column} = any(${ids}::int4[]) order by id`;
  }
  const { table, own, other } = field.through;
  return sql`
    select distinct ${ident(own)} from ${ident(table)} where ${ident(other)} = any(${ids}::int4[]) order by ${ident(own)}`;
}

function withoutLinks(field: Field, ids: readonly number[]): readonly X2manyCommand[] | null {
  return field.through === null ? null : ids.map((id) => ['unlink', id]);
}

async function forgetGone({ env, model, ids }: WriteRun): Promise<void> {
  const emptied = forgetAll(env, model, ids);
  if (emptied) await env.db.execute(emptied);
  await forgetRecords(env, model, ids);
}

/** A relation elsewhere that refers to a model. */
interface Referrer {
  readonly model: Model;
  readonly field: Field;
}

interface Referrers {
  /**
   * Relations that change when their target is deleted: the record is deleted too, the field becomes empty, or the link is
   * removed.
   */
  readonly following: readonly Referrer[];
  /** Many2ones that prevent their target from being deleted. */
  readonly holding: readonly Referrer[];
  /**
   * Columns without a key that nobody follows, such as the creator of a record: they are emptied, which does not count
   * as a change.
   */
  readonly forgetting: readonly Referrer[];
}

const nobody: Referrers = { following: [], holding: [], forgetting: [] };
const byRegistry = new WeakMap<Registry, ReadonlyMap<string, Referrers>>();

/**
 * Relations that refer to a model, by what happens to them when a record is deleted. Computed columns with a key are
 * left to the database.
 */
function referrers(registry: Registry, model: Model): Referrers {
  let known = byRegistry.get(registry);
  if (known === undefined) {
    known = collect(registry);
    byRegistry.set(registry, known);
  }
  return known.get(model.name) ?? nobody;
}

function collect(registry: Registry): Map<string, Referrers> {
  const found = new Map<string, Record<keyof Referrers, Referrer[]>>();
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      const way = wayOf(registry, field);
      if (way === null) continue;
      const target = field.spec.relation as string;
      const own = found.get(target) ?? { following: [], holding: [], forgetting: [] };
      found.set(target, own);
      own[way].push({ model, field });
    }
  }
  return found;
}

function wayOf(registry: Registry, field: Field): keyof Referrers | null {
  if (!pointsByItself(registry, field)) return field.spec.key === false && field.column !== null ? 'forgetting' : null;
  return field.through === null && field.spec.ondelete === 'restrict' ? 'holding' : 'following';
}

/** Empties columns without a key, all with one statement. */
function forgetAll(env: Env, model: Model, ids: readonly number[]): Sql | null {
  const fields = new Map<Model, Sql[]>();
  for (const { model: referring, field } of referrers(env.registry, model).forgetting) {
    fields.set(referring, [...(fields.get(referring) ?? []), ident(field.column as string)]);
  }
  if (fields.size === 0) return null;
  const updates = [...fields].map(([{ table }, columns], at) => {
    const isGone = (column: Sql) => sql`${column} = any(${ids}::int4[])`;
    const set = columns.map((column) => sql`${column} = case when ${isGone(column)} then null else ${column} end`);
    return sql`${ident(`table_${at}`)} as (update ${ident(table)} set ${join(set)} where ${join(columns.map(isGone), sql` or `)})`;
  });
  return sql`with ${join(updates)} select`;
}

/** How many referring records are checked for names that the caller may read, and how many are named. */
const maxChecked = 1_000;
const maxNamed = 3;

interface Holder extends Referrer {
  readonly ids: readonly number[];
}

/**
 * Rejects the deletion of records that others refer to by a restricting relation; those that are deleted with them do
 * not count.
 */
async function checkUnreferred(
  env: Env,
  model: Model,
  ids: readonly number[],
  going: ReadonlyMap<Model, ReadonlySet<number>>,
): Promise<void> {
  const holders = await holdersOf(env, referrers(env.registry, model).holding, ids, going);
  if (holders.length === 0) return;
  const told = [];
  const messages: Text[] = [];
  for (const { model: referring, field, ids: held } of holders) {
    const records = await named(env, referring, held);
    told.push({ model: referring.name, field: field.name, records });
    const words = { model: referring.label, label: field.label, records: records.map(({ name }) => name).join(', ') };
    messages.push(
      records.length > 0
        ? text('This is still in use as {label} in {model}: {records}.', words)
        : text('This is still in use as {label} in {model}.', words),
    );
  }
  throw new KontorError('VALIDATION_ERROR', messages[0], {
    model: model.name,
    fields: { id: messages },
    referring: told,
  });
}

/** One statement for all relations that refer to the model. */
async function holdersOf(
  env: Env,
  holding: readonly Referrer[],
  ids: readonly number[],
  going: ReadonlyMap<Model, ReadonlySet<number>>,
): Promise<readonly Holder[]> {
  if (holding.length === 0) return [];
  const queries = holding.map(
    ({ model, field }, index) => sql`(
      select ${index}::int4, id from ${ident(model.table)} where ${ident(field.column as string)} = any(${ids}::int4[])
        and not id = any(${[...(going.get(model) ?? [])]}::int4[])
      order by id desc limit ${maxChecked})`,
  );
  const rows = await env.db.arrays(join(queries, sql` union all `));
  return holding.flatMap((referrer, index) => {
    const own = rows.flatMap(([at, id]) => (at === index ? [id as number] : []));
    return own.length > 0 ? [{ ...referrer, ids: own }] : [];
  });
}

async function named(
  env: Env,
  model: Model,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  if (!mayAccessModel(env, model, 'read')) return [];
  const rows = await searchRead(env, model, [['id', 'in', ids]], ['display_name'], { limit: maxNamed });
  return rows.map(({ id, display_name: name }) => ({ id, name: String(name ?? '') }));
}
