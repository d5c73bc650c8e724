import { knownField } from '../domain/known-field.ts';
import { inverseLists } from '../graph/inverse-lists.ts';
import type { Field, Model, Registry } from '../model/model.ts';
import type { Values, X2manyCommand } from '../model/records.ts';
import { applyValues, castGiven, castTyped, givenNames } from './apply-values.ts';
import { type Draft, type DraftNode, isMany, keyOf, newNode, nodeOf } from './draft.ts';
import { readableIds } from './readable-nodes.ts';

/** The form that a line belongs to, passed as the line's many2one: its typed values, and its id if it has one. */
interface ParentForm {
  readonly field: Field;
  readonly id: number;
  readonly values: Values;
}

/** Separates the values of a line from those of its parent forms, in whose lists it can be. */
export function splitParentForms(
  registry: Registry,
  model: Model,
  given: Values,
): { readonly own: Values; readonly parents: readonly ParentForm[] } {
  const own: Record<string, unknown> = {};
  const parents: ParentForm[] = [];
  for (const [name, value] of Object.entries(given)) {
    const field = knownField(model, name);
    if (!field.kind.isToOne || typeof value !== 'object' || value === null) own[name] = value;
    else if (Array.isArray(value) || inverseLists(registry, field).length === 0) own[name] = castTyped(field, value);
    else {
      const { id, ...values } = value as Values;
      parents.push({ field, id: typeof id === 'number' ? id : 0, values });
    }
  }
  return { own, parents };
}

/** Merges the typed values of the surrounding forms into their records, or into new ones. */
export async function applyParentForms(
  draft: Draft,
  root: DraftNode,
  parents: readonly ParentForm[],
): Promise<readonly DraftNode[]> {
  const nodes: DraftNode[] = [];
  for (const { field, id, values } of parents) {
    const model = draft.env.registry.model(field.spec.relation as string);
    const node = id === 0 ? newNode(model, 0, true) : nodeOf(draft, model, id);
    root.given.set(field.name, node);
    if (node === null) continue;
    node.isDraft = true;
    node.pinned = givenNames(values);
    await applyValues(draft, node, values);
    nodes.push(node);
  }
  return nodes;
}

type IdsByModel = Map<Model, Set<number>>;

/**
 * A form may name any id. Without this, a compute over the draft would show values of records that rules hide from the
 * caller. Records that the stored record already points at stay.
 */
export async function hideUnreadable(
  draft: Draft,
  model: Model,
  values: Values,
  parents: readonly ParentForm[],
): Promise<void> {
  const { caller } = draft;
  if (caller.isSudo) return;
  const named: IdsByModel = new Map();
  collect(draft, model, values, named);
  for (const { field, id, values: typed } of parents) {
    const form = draft.env.registry.model(field.spec.relation as string);
    if (id !== 0) note(draft, form, [id], named);
    collect(draft, form, typed, named);
  }
  for (const [related, ids] of named) {
    const readable = await readableIds(caller, related, [...ids]);
    for (const id of ids) if (!readable.has(id)) draft.hidden.add(keyOf(related, id));
  }
}

function collect(draft: Draft, model: Model, values: Values, named: IdsByModel): void {
  for (const [name, value] of Object.entries(values)) {
    const field = knownField(model, name);
    if (!field.spec.relation || value === undefined) continue;
    const relation = draft.env.registry.model(field.spec.relation);
    const given = castGiven(field, value);
    if (isMany(field))
      for (const command of given as readonly X2manyCommand[]) collectCommand(draft, relation, command, named);
    else if (given !== null) note(draft, relation, [given as number], named);
  }
}

function collectCommand(draft: Draft, model: Model, command: X2manyCommand, named: IdsByModel): void {
  if (command[0] === 'set') note(draft, model, command[1], named);
  else if (command[0] === 'create') collect(draft, model, command[1], named);
  else if (command[0] !== 'clear') note(draft, model, [command[1]], named);
  if (command[0] === 'update') collect(draft, model, command[2], named);
}

function note(draft: Draft, model: Model, ids: readonly number[], named: IdsByModel): void {
  const unknown = ids.filter((id) => !draft.nodes.has(keyOf(model, id)));
  if (unknown.length === 0) return;
  const known = named.get(model) ?? new Set();
  for (const id of unknown) known.add(id);
  named.set(model, known);
}
