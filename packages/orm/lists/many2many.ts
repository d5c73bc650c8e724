import { ident, sql } from '@kontor/database';
import { checkOwnerAccess } from '../access/model-access.ts';
import { rulePredicate } from '../access/rule-predicate.ts';
import { markStale } from '../computing/mark-stale.ts';
import type { Env, Field } from '../model/model.ts';
import type { FieldChange } from '../unit-of-work.ts';
import { inList } from '../writing/faults.ts';
import { translated } from '../writing/rows.ts';
import { inverseLists } from './inverse-lists.ts';
import {
  changesNothing,
  emptyList,
  type ListChange,
  type ListNow,
  type ListOwner,
  resolveEdit,
} from './resolve-edit.ts';

type Pair = readonly [owner: number, other: number];

/** Compares the edits of one many2many, for all its owners at once, with what is linked. */
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

/** Makes, links and unlinks for all owners in one statement each. Answers what each owner's list was and is. */
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

async function relink(env: Env, field: Field, added: readonly Pair[], removed: readonly Pair[]): Promise<void> {
  const { table, own, other } = field.through as NonNullable<Field['through']>;
  const mirrors = inverseLists(env.registry, field);
  const others = [...new Set([...added, ...removed].map(([, id]) => id))];
  for (const mirror of mirrors) await markStale(env, mirror.model, others, [mirror.field.name]);
  if (removed.length > 0) {
    await env.db.execute(sql`
      delete from ${ident(table)} r using unnest(${firsts(removed)}::int4[], ${seconds(removed)}::int4[]) as gone(own, other)
      where ${ident('r', own)} = gone.own and ${ident('r', other)} = gone.other`);
  }
  if (added.length > 0) {
    const sorted = added.toSorted(([a, b], [c, d]) => a - c || b - d);
    await translated(env, () =>
      env.db.execute(sql`
        insert into ${ident(table)} (${ident(own)}, ${ident(other)})
        select * from unnest(${firsts(sorted)}::int4[], ${seconds(sorted)}::int4[]) on conflict do nothing`),
    );
  }
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
