import type { Field, Model, Registry } from '../model/model.ts';
import { inverseLists } from './inverse-lists.ts';

/** A list that some state of its records locks, from the perspective of its lines. */
export interface LockedList {
  /** The many2one of the line. */
  readonly inverse: Field;
  readonly parent: Model;
  readonly list: Field;
}

const byRegistry = new WeakMap<Registry, Map<Model, readonly LockedList[]>>();
const none: readonly LockedList[] = [];

/** The lists that a model's records are lines of, where some state locks them. */
export function lockedLists(registry: Registry, model: Model): readonly LockedList[] {
  let known = byRegistry.get(registry);
  if (!known) {
    known = new Map();
    byRegistry.set(registry, known);
  }
  let lists = known.get(model);
  if (!lists) {
    lists = findLists(registry, model);
    known.set(model, lists.length > 0 ? lists : none);
  }
  return lists;
}

function findLists(registry: Registry, model: Model): LockedList[] {
  const links = [...model.fields.values()].filter((field) => field.kind.isToOne && field.column !== null);
  return links.flatMap((inverse) =>
    inverseLists(registry, inverse)
      .filter(({ model: parent, field }) => isLockable(parent, field))
      .map(({ model: parent, field: list }) => ({ inverse, parent, list })),
  );
}

function isLockable({ states }: Model, list: Field): boolean {
  return [...(states?.locks.values() ?? [])].some((names) => names.has(list.name));
}
