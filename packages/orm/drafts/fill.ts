import { setImmediate } from 'node:timers/promises';
import { KontorError } from '@kontor/protocol';
import { mayOwnerAccess } from '../access/model-access.ts';
import { castResult, companyDays, computeContext, computeOf, runCompute, storedContext } from '../graph/compute-of.ts';
import type { LoadedRecord } from '../model/behaviour.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { noteReadable } from '../operation/settle-state.ts';
import { declaredTree, guardRecord, isStrictAboutPaths, pathTree } from '../reading/guard-record.ts';
import { load, loadSeenBy } from '../reading/load.ts';
import {
  type Draft,
  type DraftNode,
  dependsOnReader,
  emptyValue,
  isComputedHere,
  isMany,
  keyOf,
  nodeOf,
  nodesIn,
  type ReadAs,
  valueAt,
  valueBefore,
  wireValue,
} from './draft.ts';
import { castEditable, isChanged, mustCompute, sameEditable, sourcesOf } from './editables.ts';
import { findReadable, mayRead, recordOf } from './readable-nodes.ts';

type PathTree = ReturnType<typeof pathTree>;

/** A form may have a thousand lines: others are served while they are computed. */
const nodesInTurn = 100;
const isTurnOver = (at: number): boolean => at > 0 && at % nodesInTurn === 0;

/** Loads or computes the values along the paths for all nodes of one model: one load per model and relation. */
export async function fill(
  draft: Draft,
  nodes: readonly DraftNode[],
  tree: PathTree,
  readAs: ReadAs = 'server',
): Promise<void> {
  const [first] = nodes;
  if (!first || isFilled(draft, nodes, tree, readAs)) return;
  const fields = [...tree.keys()].flatMap((name) => (name === 'id' ? [] : (first.model.fields.get(name) ?? [])));
  await settleEditables(
    draft,
    nodes,
    fields.filter((field) => field.isEditable),
  );
  await loadMissing(draft, nodes, fields, readAs);
  for (const field of fields) {
    if (field.isEditable) continue;
    const due = nodes.filter((node) => isComputedHere(draft, node, field) && !node.computed.has(field.name));
    if (due.length > 0) await computeField(draft, due, field);
  }
  for (const field of fields) {
    const below = tree.get(field.name) as PathTree;
    if (below.size === 0 || !field.spec.relation) continue;
    const related = new Set(nodes.flatMap((node) => nodesIn(valueAt(draft, node, field, readAs))));
    await fill(draft, [...related], below, readAs);
  }
}

/** Most paths lead through records that an earlier compute has loaded: then there is nothing to wait for. */
function isFilled(draft: Draft, nodes: readonly DraftNode[], tree: PathTree, readAs: ReadAs): boolean {
  for (const node of nodes) {
    for (const [name, below] of tree) {
      const field = name === 'id' ? undefined : node.model.fields.get(name);
      if (!field) continue;
      if (field.isEditable && node.isDraft && !node.decided.has(name)) return false;
      if (isMissing(draft, node, field, readAs)) return false;
      if (!field.isEditable && isComputedHere(draft, node, field) && !node.computed.has(name)) return false;
      if (below.size === 0 || !field.spec.relation) continue;
      if (!isFilled(draft, nodesIn(valueAt(draft, node, field, readAs)), below, readAs)) return false;
    }
  }
  return true;
}

function isMissing(draft: Draft, node: DraftNode, field: Field, readAs: ReadAs): boolean {
  if (node.id === 0 || node.given.has(field.name)) return false;
  const known = dependsOnReader(draft, node.model, field, readAs) ? node.seen : node.loaded;
  return !known.has(field.name) && !isComputedHere(draft, node, field);
}

async function loadMissing(
  draft: Draft,
  nodes: readonly DraftNode[],
  fields: readonly Field[],
  readAs: ReadAs,
): Promise<void> {
  const { model } = nodes[0] as DraftNode;
  const wanted = fields.filter((field) => nodes.some((node) => isMissing(draft, node, field, readAs)));
  if (wanted.length === 0) return;
  const incomplete = nodes.filter((node) => wanted.some((field) => isMissing(draft, node, field, readAs)));
  await loadInto(draft, model, incomplete, wanted, readAs);
}

/** Reads stored values, ignoring given ones. */
export async function loadInto(
  draft: Draft,
  model: Model,
  nodes: readonly DraftNode[],
  fields: readonly Field[],
  readAs: ReadAs = 'server',
): Promise<void> {
  if (nodes.length === 0 || fields.length === 0) return;
  const seen = fields.filter((field) => dependsOnReader(draft, model, field, readAs));
  const plain = fields.filter((field) => !seen.includes(field));
  if (plain.length > 0 || nodes.some((node) => node.loaded.size === 0)) {
    const ids = nodes.map((node) => node.id);
    const names = plain.map((field) => field.name);
    const { records, readable } = await loadSeenBy(draft.caller, draft.env, model, ids, names);
    const byId = new Map(records.map((record) => [record.id, record]));
    noteReadable(draft.caller, model, readable);
    for (const node of nodes) {
      draft.readable.set(keyOf(model, node.id), readable.has(node.id));
      if (!byId.has(node.id)) node.isMissing = true;
    }
    setValues(draft, nodes, plain, byId, 'loaded');
  }
  if (seen.length === 0) return;
  // The scope of a key does not apply: it limits what is named in a call.
  const open = mayOwnerAccess(draft.caller, model, 'read') ? seen.filter((field) => mayRead(draft, field)) : [];
  const byId = open.length === 0 ? new Map() : await loadById(draft.caller.outside(false), model, nodes, open);
  setValues(draft, nodes, seen, byId, 'seen');
}

type RecordsById = ReadonlyMap<number, LoadedRecord>;

async function loadById(
  env: Env,
  model: Model,
  nodes: readonly DraftNode[],
  fields: readonly Field[],
): Promise<RecordsById> {
  const [ids, names] = [nodes.map((node) => node.id), fields.map((field) => field.name)];
  const records = await load(env, model, ids, names, { missing: 'skip' });
  return new Map(records.map((record) => [record.id, record]));
}

function setValues(
  draft: Draft,
  nodes: readonly DraftNode[],
  fields: readonly Field[],
  byId: RecordsById,
  where: 'loaded' | 'seen',
): void {
  for (const node of nodes) {
    const record = byId.get(node.id);
    for (const field of fields) {
      const value = record?.[field.name];
      node[where].set(field.name, value === undefined ? emptyValue(field) : asNodes(draft, node, field, value));
    }
  }
}

async function computeField(draft: Draft, nodes: readonly DraftNode[], field: Field): Promise<void> {
  const compute = computeOf((nodes[0] as DraftNode).model, field);
  if (!compute) return;
  // A record that is its own parent would be computed forever.
  for (const node of nodes) node.computed.set(field.name, emptyValue(field));
  const tree = declaredTree(compute.depends);
  // The same rights as when it is read: a stored value is the same for everyone.
  const readAs = field.isStored || field.compute?.asServer !== undefined ? 'server' : 'caller';
  await fill(draft, nodes, tree, readAs);
  if (readAs === 'caller') await findReadable(draft, nodes, tree);
  const known = computeContext(draft.env);
  const today = compute.changes === 'daily' ? (await companyDays(draft.env))(draft.env.actor.companyId) : '';
  const context = field.isStored ? storedContext(known, field, compute, today) : known;
  for (const [at, node] of nodes.entries()) {
    if (isTurnOver(at)) await setImmediate();
    const record = recordOf(draft, node, tree, readAs);
    const seen = isStrictAboutPaths() ? guarded(field, record, compute.depends) : record;
    const value = computeIfPossible(draft, node, { record, tree }, () => runCompute(field, compute, seen, context));
    node.computed.set(
      field.name,
      value === undefined ? emptyValue(field) : asNodes(draft, node, field, castResult(field, value)),
    );
  }
}

interface Inputs {
  readonly record: LoadedRecord;
  readonly tree: PathTree;
}

/** A compute may rely on values that a draft still lacks, or that its reader may not see: then it has no value yet. */
function computeIfPossible<T>(draft: Draft, { model }: DraftNode, inputs: Inputs, compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof KontorError || !lacksValues(draft, model, inputs)) throw error;
    return undefined;
  }
}

/** Whether something along the paths is empty that a saved record always has. */
function lacksValues(draft: Draft, model: Model, { record, tree }: Inputs): boolean {
  return [...tree].some(([name, below]) => {
    const field = model.fields.get(name);
    const value = record[name] ?? null;
    if (!field) return false;
    if (value === null) return field.required || computeOf(model, field) !== null;
    if (!field.spec.relation || below.size === 0) return false;
    const related = draft.env.registry.model(field.spec.relation);
    return [value].flat().some((each) => lacksValues(draft, related, { record: each as LoadedRecord, tree: below }));
  });
}

async function settleEditables(draft: Draft, nodes: readonly DraftNode[], fields: readonly Field[]): Promise<void> {
  const [first] = nodes;
  if (!first || fields.length === 0) return;
  const isEditable = (path: string) => first.model.fields.get(path.split('.', 1)[0] as string)?.isEditable === true;
  // Their inputs are loaded together, except those that another of them provides.
  const due = nodes.filter((node) => node.isDraft && fields.some((field) => isUndecided(node, field)));
  const reading = fields.filter((field) => due.some((node) => isUndecided(node, field)));
  const paths = reading.flatMap((field) => field.editableCompute?.depends ?? []);
  // For a record that is its own parent the path leads back here, and ends.
  const begun = due.flatMap((node) =>
    reading.filter((field) => isUndecided(node, field)).map(({ name }) => ({ node, name })),
  );
  for (const { node, name } of begun) node.preparing.add(name);
  await fill(draft, due, pathTree(paths.filter((path) => !isEditable(path))));
  for (const { node, name } of begun) node.preparing.delete(name);
  for (const field of fields) await settleEditable(draft, nodes, field);
}

function isUndecided(node: DraftNode, field: Field): boolean {
  return !node.decided.has(field.name) && !node.preparing.has(field.name) && mustCompute(node, field);
}

/** Computes an editable field on the nodes that need it, after its inputs. */
async function settleEditable(draft: Draft, nodes: readonly DraftNode[], field: Field): Promise<void> {
  const open = nodes.filter((node) => node.isDraft && !node.decided.has(field.name));
  const [first] = open;
  if (!first) return;
  // Also if a path leads back here, so that it ends.
  for (const node of open) node.decided.add(field.name);
  for (const name of sourcesOf(field)) {
    const source = first.model.fields.get(name);
    if (source?.isEditable) await settleEditable(draft, open, source);
  }
  const due = open.filter((node) => mustCompute(node, field));
  if (due.length > 0) await computeEditable(draft, due, field);
}

async function computeEditable(draft: Draft, nodes: readonly DraftNode[], field: Field): Promise<void> {
  const compute = field.editableCompute;
  if (!compute) return;
  const tree = declaredTree(compute.depends);
  // Callers who may not read the value do not see its inputs either: it is computed for others.
  const readAs = compute.asServer === undefined && mayRead(draft, field) ? 'caller' : 'server';
  await fill(draft, nodes, tree, readAs);
  const stored = nodes.filter(({ id, given, loaded }) => id !== 0 && !given.has(field.name) && !loaded.has(field.name));
  await loadInto(draft, (nodes[0] as DraftNode).model, stored, [field]);
  if (readAs === 'caller') await findReadable(draft, nodes, tree);
  const context = computeContext(draft.caller);
  const isStrict = isStrictAboutPaths();
  for (const [at, node] of nodes.entries()) {
    if (isTurnOver(at)) await setImmediate();
    const record = recordOf(draft, node, tree, readAs);
    const seen = isStrict ? guarded(field, record, compute.depends) : record;
    const changed = (name: string) => isChanged(node, name);
    const result = computeIfPossible(draft, node, { record, tree }, () =>
      runCompute(field, compute, seen, { ...context, changed, isNew: node.id === 0 }),
    );
    if (result === undefined) continue;
    const value = asNodes(draft, node, field, castEditable(field, result));
    const isSame = sameEditable(field, wireValue(valueBefore(node, field)), wireValue(value));
    if (!isSame) node.followed.add(field.name);
    node.computed.set(field.name, value);
  }
}

function guarded(field: Field, record: LoadedRecord, paths: readonly string[]): LoadedRecord {
  return guardRecord(record, paths, `The compute of ${field.model}.${field.name}`);
}

/** Loaded records and ids as nodes; lines of an edited record are edited too. */
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
