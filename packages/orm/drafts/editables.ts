import { castResult } from '../graph/compute-of.ts';
import { firstSteps } from '../model/depends.ts';
import type { Field } from '../model/model.ts';
import { sameValue } from '../model/same-value.ts';
import { type DraftNode, isMany } from './draft.ts';

const stepsOf = new WeakMap<Field, ReadonlySet<string>>();

/** The fields of its own record that an editable compute depends on. */
export function sourcesOf(field: Field): ReadonlySet<string> {
  let steps = stepsOf.get(field);
  if (steps === undefined) {
    steps = field.editableCompute ? firstSteps(field.editableCompute) : new Set();
    stepsOf.set(field, steps);
  }
  return steps;
}

/** Whether an editable compute runs: no value was given, or its inputs change. Values that the call sets stay. */
export function mustCompute(node: DraftNode, field: Field): boolean {
  if (node.pinned.has(field.name)) return false;
  if (node.changed === null || (node.id === 0 && !node.given.has(field.name))) return true;
  return [...sourcesOf(field)].some((name) => isChanged(node, name));
}

export function isChanged({ changed, followed }: DraftNode, name: string): boolean {
  return changed === null || changed.has(name) || followed.has(name);
}

/** The result of an editable compute as a value of the field; the ids of a many2many. */
export function castEditable(field: Field, result: unknown): unknown {
  if (!isMany(field)) return castResult(field, result);
  if (result === null) return [];
  if (!Array.isArray(result)) throw new Error(`The compute of ${field.model}.${field.name} gives no array of ids.`);
  return [...new Set(result.map(idOf))];
}

function idOf(each: unknown): unknown {
  return typeof each === 'object' && each !== null && 'id' in each ? each.id : each;
}

/** Whether two values of an editable field, relations as ids, mean the same. */
export function sameEditable(field: Field, before: unknown, after: unknown): boolean {
  if (!isMany(field)) return sameValue(field, before, after);
  const ids = new Set(before as readonly number[]);
  const now = after as readonly number[];
  return ids.size === now.length && now.every((id) => ids.has(id));
}
