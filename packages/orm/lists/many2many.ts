import { ident, sql } from '@kontor/database';
import { checkOwnerAccess } from '../access/model-access.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import { inverseLists } from '../graph/inverse-lists.ts';
import type { Env, Field } from '../model/model.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import { inList } from '../operation/faults.ts';
import type { ListChange, ListNow } from '../plan/row-change.ts';
import { holdRecords } from '../rows/held-records.ts';
import { translated } from '../rows/rows.ts';
import { markStale } from '../settle/mark-stale.ts';
import { changesNothing, emptyList, type ListOwner, resolveEdit } from './resolve-edit.ts';

type Pair = readonly [owner: number, other: number];

/** Compares the edits of one many2many, for all owners at once, with the existing links. */
export async function planMany2many(
  env: Env,
  field: Field,
  owners: readonly ListOwner[],
  operation: 'create' | 'write',
): Promise<ListChange[]> {
  const related = env.registry.model(field.spec.relation as string);
  const now = operation === 'create' ? new Map<number, ListNow>() : await linkedNow(env, field, owners);
  const changes = owners.map((owner) => resolveEdit(field, related, owner, now.get(owner.id) ?? emptyList));
  return changes.filter((change) => !changesNothing(change));
}

/**
 * Creates, links and unlinks for all owners in one statement each. Returns the previous and current list of each owner.
 */
export async function applyMany2many(
  env: Env,
  field: Field,
  changes: readonly ListChange[],
): Promise<Map<number, FieldChange>> {
  const related = env.model(field.spec.relation as string);
  const created = changes.flatMap((change) => change.created);
  const updated = changes.flatMap((change) => change.updated);
  const made = created.length === 0 ? [] : await inList(field, () => related.createMany(created));
  if (updated.length > 0) await inList(field, () => related.writeEach(updated));
  const added: Pair[] = [];
  const removed: Pair[] = [];
  const answers = new Map<number, FieldChange>();
  let next = 0;
  for (const change of changes) {
    const fresh = made.slice(next, next + change.created.length);
    next += fresh.length;
    const linked = [...change.added, ...fresh];
    const gone = new Set([...change.removed, ...change.deleted]);
    added.push(...linked.map((id): Pair => [change.owner, id]));
    removed.push(...change.removed.map((id): Pair => [change.owner, id]));
    if (linked.length + gone.size === 0) continue;
    const old = [...change.now.all];
    answers.set(change.owner, { old, new: [...old.filter((id) => !gone.has(id)), ...linked] });
  }
  await relink(env, field, added, removed);
  const deleted = [...new Set(changes.flatMap((change) => change.deleted))];
  if (deleted.length > 0) await related.unlink(deleted);
  return answers;
}

/**
 * All writers process the links of a table in one order, from either side: by its columns, and new links before removed
 * ones. A writer waits for a link that another creates only if it creates it too, and for one that another removes only
 * if it creates or removes it, so that no two of them deadlock.
 */
async function relink(env: Env, field: Field, added: readonly Pair[], removed: readonly Pair[]): Promise<void> {
  const through = field.through as NonNullable<Field['through']>;
  const [table, own, other] = [ident(through.table), ident(through.own), ident(through.other)];
  const others = [...new Set([...added, ...removed].map(([, id]) => id))];
  for (const mirror of inverseLists(env.registry, field)) {
    await markStale(env, mirror.model, others, [mirror.field.name]);
    // They are locked for their computes anyway; a writer from their side locks them before the links.
    if (isComputedFrom(env, mirror.field)) await holdRecords(env.sudo(), mirror.model, others);
  }
  if (added.length > 0) {
    const sorted = inTableOrder(field, added);
    await translated(env, () =>
      env.db.execute(sql`
        insert into ${table} (${own}, ${other})
        select * from unnest(${firsts(sorted)}::int4[], ${seconds(sorted)}::int4[]) on conflict do nothing`),
    );
  }
  if (removed.length > 0) {
    const [first, second] = [through.own, through.other].sort() as [string, string];
    await env.db.execute(sql`
      with gone as (
        select r.${own}, r.${other} from ${table} r
        where (r.${own}, r.${other}) in (select * from unnest(${firsts(removed)}::int4[], ${seconds(removed)}::int4[]))
        order by ${ident('r', first)}, ${ident('r', second)} for update of r
      )
      delete from ${table} r using gone where r.${own} = gone.${own} and r.${other} = gone.${other}`);
  }
}

function isComputedFrom({ registry }: Env, { model, name }: Field): boolean {
  return registry.triggers(model, name).some((trigger) => trigger.model === model && trigger.path.length === 0);
}

function inTableOrder(field: Field, pairs: readonly Pair[]): Pair[] {
  const { own, other } = field.through as NonNullable<Field['through']>;
  return pairs.toSorted(([a, b], [c, d]) => (own < other ? a - c || b - d : b - d || a - c));
}

function firsts(pairs: readonly Pair[]): number[] {
  return pairs.map(([first]) => first);
}

function seconds(pairs: readonly Pair[]): number[] {
  return pairs.map(([, second]) => second);
}

async function linkedNow(env: Env, field: Field, owners: readonly ListOwner[]): Promise<Map<number, ListNow>> {
  const { table, own, other } = field.through as NonNullable<Field['through']>;
  const model = env.registry.model(field.spec.relation as string);
  checkOwnerAccess(env, model, 'read');
  const rows = await env.db.arrays(sql`
    select ${ident('link', own)}, r.id, ${rulePredicate(env, model, 'read', 'r') ?? sql`true`}
    from ${ident(table)} link join ${ident(model.table)} r on r.id = ${ident('link', other)}
    where ${ident('link', own)} = any(${owners.map((owner) => owner.id)}::int4[]) order by r.id`);
  const found = new Map(owners.map((owner) => [owner.id, { all: new Set<number>(), visible: new Set<number>() }]));
  for (const [owner, id, isVisible] of rows as [number, number, boolean][]) {
    found.get(owner)?.all.add(id);
    if (isVisible) found.get(owner)?.visible.add(id);
  }
  return found;
}
