import type { LoadedRecord } from '../../../model/definition.ts';
import type { Field, Model } from '../../../model/model.ts';
import { computeContext } from '../../compute-context.ts';
import { guardRecord, isStrictAboutPaths, pathTree } from '../../guard-record.ts';
import { load } from '../../load.ts';
import { castResult } from '../cast-result.ts';
import { computeOf } from '../compute-of.ts';
import { type Draft, type DraftNode, emptyValue, isMany, isWorkedOut, nodeOf, nodesIn, valueAt } from './draft.ts';
import { orNothing } from './or-nothing.ts';
import { recordOf } from './record-of.ts';

type PathTree = ReturnType<typeof pathTree>;

/** Makes the values along the paths known for all the nodes, which are of one model: one load a model and relation. */
export async function fill(draft: Draft, nodes: readonly DraftNode[], tree: PathTree): Promise<void> {
  const [first] = nodes;
  if (!first) return;
  const fields = [...tree.keys()].flatMap((name) => (name === 'id' ? [] : (first.model.fields.get(name) ?? [])));
  await loadMissing(draft, first.model, nodes, fields);
  for (const field of fields) {
    const due = nodes.filter((node) => isWorkedOut(draft, node, field) && !node.computed.has(field.name));
    if (due.length > 0) await workOut(draft, due, field);
  }
  for (const field of fields) {
    const below = tree.get(field.name) as PathTree;
    if (below.size === 0 || !field.spec.relation) continue;
    const related = new Set(nodes.flatMap((node) => nodesIn(valueAt(draft, node, field))));
    await fill(draft, [...related], below);
  }
}

async function loadMissing(
  draft: Draft,
  model: Model,
  nodes: readonly DraftNode[],
  fields: readonly Field[],
): Promise<void> {
  const isMissing = (node: DraftNode, field: Field): boolean =>
    node.id !== 0 && !node.given.has(field.name) && !node.loaded.has(field.name) && !isWorkedOut(draft, node, field);
  const wanted = fields.filter((field) => nodes.some((node) => isMissing(node, field)));
  const incomplete = nodes.filter((node) => wanted.some((field) => isMissing(node, field)));
  await loadInto(draft, model, incomplete, wanted);
}

/** Reads stored values, whatever was given in their place. */
export async function loadInto(
  draft: Draft,
  model: Model,
  nodes: readonly DraftNode[],
  fields: readonly Field[],
): Promise<void> {
  if (nodes.length === 0 || fields.length === 0) return;
  const names = fields.map((field) => field.name);
  const records = await load(
    draft.env,
    model,
    nodes.map((node) => node.id),
    names,
    { missing: 'skip' },
  );
  const byId = new Map(records.map((record) => [record.id, record]));
  for (const node of nodes) {
    const record = byId.get(node.id);
    for (const field of fields) {
      node.loaded.set(field.name, record ? asNodes(draft, node, field, record[field.name]) : emptyValue(field));
    }
  }
}

async function workOut(draft: Draft, nodes: readonly DraftNode[], field: Field): Promise<void> {
  const compute = computeOf((nodes[0] as DraftNode).model, field);
  if (!compute) return;
  // A record that is its own parent would be worked out for ever.
  for (const node of nodes) node.computed.set(field.name, emptyValue(field));
  const tree = pathTree(compute.depends);
  await fill(draft, nodes, tree);
  const reader = `The compute of ${field.model}.${field.name}`;
  const context = computeContext(draft.env);
  for (const node of nodes) {
    const record = recordOf(draft, node, tree);
    const seen = isStrictAboutPaths() ? guardRecord(record, compute.depends, reader) : record;
    const value = castResult(
      field,
      orNothing(draft, () => compute.value(seen, context)),
    );
    node.computed.set(field.name, asNodes(draft, node, field, value));
  }
}

/** Loaded records and ids as nodes; lines of what is edited are edited too. */
export function asNodes(draft: Draft, owner: DraftNode, field: Field, value: unknown): unknown {
  if (!field.spec.relation) return value;
  const model = draft.env.registry.model(field.spec.relation);
  const one = (each: unknown): DraftNode | null => {
    const id = typeof each === 'number' ? each : (each as LoadedRecord).id;
    return nodeOf(draft, model, id);
  };
  if (!isMany(field)) return value === null || value === undefined ? null : one(value);
  const lines = ((value ?? []) as readonly unknown[]).flatMap((each) => one(each) ?? []);
  if (owner.isDraft && field.spec.inverse) for (const line of lines) line.isDraft = true;
  return lines;
}
