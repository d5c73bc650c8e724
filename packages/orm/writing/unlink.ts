import { ident, type Sql, sql } from '@kontor/database';
import { checkModelAccess } from '../access/model-access.ts';
import { forgetRecords } from '../external-ids.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { CreateOptions, X2manyCommand } from '../model/records.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import { companyField, recordChange } from '../operation/record-change.ts';
import type { LockedRow } from '../plan/row-change.ts';
import { checkIds, maxRecordsPerCall } from '../reading/check-records.ts';
import { lockOwners } from '../rows/lock-owners.ts';
import { lockRows } from '../rows/lock-rows.ts';
import { translated } from '../rows/rows.ts';
import { inOperation } from '../settle/in-operation.ts';
import { markStale } from '../settle/mark-stale.ts';
import { recomputeStale } from '../settle/recompute-stale.ts';
import { checkLineLocks, checkRemovable } from '../states/check-locks.ts';
import { checkUnreferred, forgetAll, referrers } from './referrers.ts';

/** Deletes records, and those that are deleted with them, in one DELETE a model. */
export async function unlink(
  env: Env,
  model: Model,
  ids: readonly number[],
  { restores = false }: Pick<CreateOptions, 'restores'> = {},
): Promise<true> {
  checkModelAccess(env, model, 'unlink');
  const unique = checkIds(model, ids);
  if (unique.length === 0) return true;
  return inOperation<true>(env, async () => {
    await lockOwners(env, model, { ids: unique, names: model.fields.keys() });
    await remove({ env, rights: env, going: new Map(), restores }, model, unique);
    return true;
  });
}

interface Removal {
  /** Hooks run in the caller's name. */
  readonly env: Env;
  /** Records that are deleted with their owner are deleted with the server's rights, not the caller's. */
  readonly rights: Env;
  /** Ids that are being deleted, by model; it ends circles of references. */
  readonly going: Map<Model, Set<number>>;
  readonly restores: boolean;
}

async function remove(removal: Removal, model: Model, ids: readonly number[]): Promise<void> {
  const { env, rights, going } = removal;
  going.set(model, new Set([...(going.get(model) ?? []), ...ids]));
  const inside = env.outside(false);
  const stored = [...model.fields.values()].filter((field) => field.column !== null && field.name !== 'id');
  const rows = await lockRows(rights, model, ids, stored, 'unlink');
  if (!removal.restores) await checkStates(removal, model, rows);
  for (const hook of model.hooks) await hook.beforeUnlink?.({ env: inside, ids });
  const lists = await linkedBefore(env, model, ids);
  await removeReferring(removal, model, ids);
  await checkUnreferred(env, model, ids, going);
  await markStale(env, model, ids, relationsOf(model, rows, lists), {
    except: (trigger) => trigger.path.length === 0,
  });
  const statement = sql`delete from ${ident(model.table)} where id = any(${ids}::int4[])`;
  await translated(env, () => env.db.execute(statement));
  const emptied = forgetAll(env, model, ids);
  if (emptied) await env.db.execute(emptied);
  await forgetRecords(env, model, ids);
  for (const [id, row] of rows) recordRemoval(env, model, row, lists.get(id) ?? []);
  const hooks = model.hooks.flatMap((hook) => hook.afterUnlink ?? []);
  if (hooks.length > 0) await recomputeStale(env);
  for (const hook of hooks) await hook({ env: inside, ids });
}

/** Checks that the states of the records, and of those that they are lines of, allow it. Lines of a deleted record are not checked. */
async function checkStates({ env, going }: Removal, model: Model, rows: ReadonlyMap<number, LockedRow>): Promise<void> {
  await checkRemovable(env, model, rows);
  await checkLineLocks(env, model, 'unlink', (link) => {
    const gone = going.get(env.registry.model(link.spec.relation as string));
    return [...rows.values()].map(({ values }) => values.get(link)).filter((id) => !gone?.has(id as number));
  });
}

/**
 * What the database would delete or empty by itself is done here first, so that hooks run, computes follow and the
 * change is known. The owners are locked: nobody can add to them meanwhile.
 */
async function removeReferring({ env, going, restores }: Removal, model: Model, ids: readonly number[]): Promise<void> {
  const rights = env.sudo();
  for (const { model: referring, field } of referrers(env.registry, model).following) {
    const found = await env.db.arrays(referringIds(referring, field, ids));
    const all = found.map(([id]) => id as number).filter((id) => !going.get(referring)?.has(id));
    for (let start = 0; start < all.length; start += maxRecordsPerCall) {
      const part = all.slice(start, start + maxRecordsPerCall);
      if (field.spec.ondelete === 'cascade') await remove({ env, rights, going, restores }, referring, part);
      else {
        // Only the relation changes: no move, stage, lock or editable compute follows.
        const values = { [field.name]: withoutLinks(field, ids) };
        await rights.model(referring.name).write(part, values, { restores: true });
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

async function linkedBefore(
  env: Env,
  model: Model,
  ids: readonly number[],
): Promise<Map<number, [Field, FieldChange][]>> {
  const lists = new Map<number, [Field, FieldChange][]>();
  if (model.quiet) return lists;
  for (const field of model.fields.values()) {
    if (!field.through) continue;
    const { table, own, other } = field.through;
    const rows = await env.db.arrays(sql`
      select ${ident(own)}, array_agg(${ident(other)} order by ${ident(other)}) from ${ident(table)}
      where ${ident(own)} = any(${ids}::int4[]) group by 1`);
    for (const [id, others] of rows as [number, number[]][]) {
      lists.set(id, [...(lists.get(id) ?? []), [field, { old: others, new: [] }]]);
    }
  }
  return lists;
}

/** Relations to records whose computes may change; those of the removed records themselves do not matter. */
function relationsOf(
  model: Model,
  rows: ReadonlyMap<number, LockedRow>,
  lists: ReadonlyMap<number, [Field, FieldChange][]>,
): Set<string> {
  const names = new Set<string>();
  for (const { values } of rows.values()) {
    for (const [field, value] of values) if (field.kind.isToOne && value !== null) names.add(field.name);
  }
  for (const linked of lists.values()) for (const [field] of linked) names.add(field.name);
  if (model.quiet) for (const field of model.fields.values()) if (field.through) names.add(field.name);
  return names;
}

function recordRemoval(env: Env, model: Model, row: LockedRow, lists: readonly [Field, FieldChange][]): void {
  const company = companyField(model);
  const values = [...row.values].filter(([, value]) => value !== null);
  const fields = [...values.map(([field, old]) => [field, { old, new: null }] as const), ...lists];
  recordChange(env, model, { id: row.id, operation: 'unlink', fields, companyId: company && row.values.get(company) });
}
