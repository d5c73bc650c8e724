import { ident, sql } from '@kontor/database';
import { mayReadEverywhere } from '../access/field-access.ts';
import { mayAccessModel } from '../access/model-access.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import type { LoadedRecord } from '../model/behaviour.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { markLoaded, type pathTree } from '../reading/guard-record.ts';
import { type Draft, type DraftNode, emptyValue, keyOf, nodesIn, type ReadAs, valueAt } from './draft.ts';

type PathTree = ReturnType<typeof pathTree>;

/** The records that the caller may read. */
export async function readableIds(env: Env, model: Model, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (!mayAccessModel(env, model, 'read')) return new Set();
  const rule = rulePredicate(env, model, 'read', 't');
  if (!rule) return new Set(ids);
  const rows = await env.db.arrays(sql`
    select t.id from ${ident(model.table)} t where t.id = any(${ids}::int4[]) and ${rule}`);
  return new Set(rows.map((row) => row[0] as number));
}

/** Determines which of the records along the paths the caller may read: one statement per relation, for all nodes. */
export async function findReadable(draft: Draft, nodes: readonly DraftNode[], tree: PathTree): Promise<void> {
  const [first] = nodes;
  if (!first || draft.caller.isSudo) return;
  for (const [name, below] of tree) {
    const field = first.model.fields.get(name);
    if (!field?.spec.relation) continue;
    const related = [...new Set(nodes.flatMap((node) => nodesIn(valueAt(draft, node, field, 'caller'))))];
    await checkReadable(draft, related);
    await findReadable(
      draft,
      related.filter((node) => isReadable(draft, node)),
      below,
    );
  }
}

async function checkReadable(draft: Draft, nodes: readonly DraftNode[]): Promise<void> {
  const unknown = nodes.filter((node) => node.id !== 0 && !draft.readable.has(keyOf(node.model, node.id)));
  const [first] = unknown;
  if (!first) return;
  // A key that does not cover the model learns nothing about it from a draft either.
  const readable = await readableIds(
    draft.caller,
    first.model,
    unknown.map((node) => node.id),
  );
  for (const { model, id } of unknown) draft.readable.set(keyOf(model, id), readable.has(id));
}

/** Whether the caller may read the record; a new one is their own. */
function isReadable(draft: Draft, { model, id }: DraftNode): boolean {
  return id === 0 || draft.caller.isSudo || draft.readable.get(keyOf(model, id)) === true;
}

export function mayRead(draft: Draft, field: Field): boolean {
  return mayReadEverywhere(draft.caller, field);
}

/** A filled node as the record that computes and handlers read. As the caller, unreadable values are empty. */
export function recordOf(
  draft: Draft,
  node: DraftNode,
  tree: ReturnType<typeof pathTree>,
  readAs: ReadAs = 'server',
): LoadedRecord {
  const record: { id: number } & Record<string, unknown> = { id: node.id };
  for (const [name, below] of tree) {
    const field = node.model.fields.get(name);
    if (!field || name === 'id') continue;
    const value =
      readAs === 'caller' && !mayRead(draft, field) ? emptyValue(field) : valueAt(draft, node, field, readAs);
    if (!field.spec.relation) {
      record[name] = value;
      continue;
    }
    const seen = nodesIn(value).filter((each) => !each.isMissing && (readAs === 'server' || isReadable(draft, each)));
    const records = seen.map((each) => recordOf(draft, each, below, readAs));
    record[name] = Array.isArray(value) ? records : (records[0] ?? null);
  }
  markLoaded(record);
  return record;
}
