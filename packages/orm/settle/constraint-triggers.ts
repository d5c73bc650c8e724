import { inverseLists } from '../lists/inverse-lists.ts';
import type { Field, Registry } from '../model/model.ts';

/** A constraint that a change makes due: follow `path` backwards to the records to check. */
export interface ConstraintTrigger {
  readonly model: string;
  readonly constraint: string;
  readonly path: readonly string[];
}

type Index = ReadonlyMap<string, readonly ConstraintTrigger[]>;
const indexes = new WeakMap<Registry, Index>();
const none: readonly ConstraintTrigger[] = [];

/** Constraints by the field that they are `on`, or by the field of another model that changes the same relation. */
export function constraintTriggers(registry: Registry, model: string, field: string): readonly ConstraintTrigger[] {
  let index = indexes.get(registry);
  if (!index) {
    index = buildIndex(registry);
    indexes.set(registry, index);
  }
  return index.get(`${model}.${field}`) ?? none;
}

function buildIndex(registry: Registry): Index {
  const watchers = new Map<Field, string[]>();
  for (const model of registry.models.values()) {
    for (const { name, on } of model.constraints) {
      for (const field of on.flatMap((each) => model.fields.get(each) ?? [])) {
        watchers.set(field, [...(watchers.get(field) ?? []), name]);
      }
    }
  }
  const index = new Map<string, ConstraintTrigger[]>();
  const add = (changed: Field, watched: Field, path: readonly string[]): void => {
    const key = `${changed.model}.${changed.name}`;
    const due = (watchers.get(watched) ?? []).map((constraint) => ({ model: watched.model, constraint, path }));
    if (due.length > 0) index.set(key, [...(index.get(key) ?? []), ...due]);
  };
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      add(field, field, []);
      for (const list of inverseLists(registry, field)) add(field, list.field, [list.field.name]);
    }
  }
  return index;
}
