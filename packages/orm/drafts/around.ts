import { knownField } from '../domain/known-field.ts';
import { inverseLists } from '../lists/inverse-lists.ts';
import type { Field, Model, Registry } from '../model/model.ts';
import type { Values } from '../records.ts';
import { type Draft, type DraftNode, newNode, nodeOf } from './draft.ts';
import { castTyped, give, givenNames } from './give.ts';

/** The form that a line stands in, as its many2one to it gives it: what is typed there, and its id if it has one. */
export interface Around {
  readonly field: Field;
  readonly id: number;
  readonly values: Values;
}

/** Tells the values of a line from those of the forms around it: those in whose lists it can stand. */
export function splitAround(
  registry: Registry,
  model: Model,
  given: Values,
): { readonly own: Values; readonly around: readonly Around[] } {
  const own: Record<string, unknown> = {};
  const around: Around[] = [];
  for (const [name, value] of Object.entries(given)) {
    const field = knownField(model, name);
    if (!field.kind.isToOne || typeof value !== 'object' || value === null) own[name] = value;
    else if (Array.isArray(value) || inverseLists(registry, field).length === 0) own[name] = castTyped(field, value);
    else {
      const { id, ...values } = value as Values;
      around.push({ field, id: typeof id === 'number' ? id : 0, values });
    }
  }
  return { own, around };
}

/** Lays what is typed around the line over the record there, or over one that is not made yet. */
export async function giveAround(
  draft: Draft,
  root: DraftNode,
  around: readonly Around[],
): Promise<readonly DraftNode[]> {
  const nodes: DraftNode[] = [];
  for (const { field, id, values } of around) {
    const model = draft.env.registry.model(field.spec.relation as string);
    const node = id === 0 ? newNode(model, 0, true) : nodeOf(draft, model, id);
    root.given.set(field.name, node);
    if (node === null) continue;
    node.isDraft = true;
    node.pinned = givenNames(values);
    await give(draft, node, values);
    nodes.push(node);
  }
  return nodes;
}
