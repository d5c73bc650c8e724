import type { Field, Model, Trigger } from '../model/model.ts';
import { readsOf } from './compute-graph.ts';
import { isUnresolved } from './path.ts';
import type { Problems } from './problems.ts';

export type Triggers = ReadonlyMap<string, readonly Trigger[]>;

/** For each field, the stored computes that become stale when it changes, and the path back to their records. */
export function buildTriggers(
  models: ReadonlyMap<string, Model>,
  computes: readonly Field[],
  problems: Problems,
): Triggers {
  const triggers = new Map<string, Map<string, Trigger>>();
  const twins = findTwins(models);

  for (const compute of computes) {
    const note = (model: string, field: string, path: readonly string[]): void => {
      const key = triggerKey(model, field);
      const list = triggers.get(key) ?? new Map<string, Trigger>();
      const trigger = Object.freeze({ model: compute.model, field: compute.name, path: Object.freeze([...path]) });
      list.set(`${compute.model}/${compute.name}/${path.join('.')}`, trigger);
      triggers.set(key, list);
    };

    const follow = (model: string, path: readonly string[], prefix: readonly string[]): void => {
      const [name, ...rest] = path as [string, ...string[]];
      const field = models.get(model)?.fields.get(name);
      if (field === undefined || isUnresolved(field, models)) return; // Reported where computes are checked.
      if (isDerivedOnRead(field)) {
        if (field.related !== null) {
          follow(model, [...field.related, ...rest], prefix);
          return;
        }
        for (const read of readsOf(field, models)) follow(model, read, prefix);
        if (rest.length > 0) refuseHop(compute, field, problems);
        return;
      }
      note(model, name, prefix);
      const here = [...prefix, name];
      for (const twin of twins.get(field) ?? []) note(twin.model, twin.name, here);
      if (rest.length > 0) follow(field.spec.relation as string, rest, here);
    };

    for (const path of readsOf(compute, models)) follow(compute.model, path, []);
  }
  return new Map([...triggers].map(([key, list]) => [key, Object.freeze([...list.values()])]));
}

export function triggerKey(model: string, field: string): string {
  return `${model}/${field}`;
}

function isDerivedOnRead(field: Field): boolean {
  if (field.isStored) return false;
  return field.compute !== null || field.related !== null || field.name === 'display_name';
}

function refuseHop(compute: Field, hop: Field, problems: Problems): void {
  problems.add(
    { module: compute.module, model: compute.model, field: compute.name },
    `it is stored and depends on something behind ${hop.model}.${hop.name}, which is computed and not stored.`,
  );
}

/** The fields on the other side that change the same relation: the inverse of a one2many, a many2many on the same table. */
function findTwins(models: ReadonlyMap<string, Model>): ReadonlyMap<Field, readonly Field[]> {
  const sharing = new Map<string, Field[]>();
  const all = [...models.values()].flatMap((model) => [...model.fields.values()]);
  for (const field of all) {
    if (field.through) sharing.set(field.through.table, [...(sharing.get(field.through.table) ?? []), field]);
  }
  const twins = new Map<Field, readonly Field[]>();
  for (const field of all) {
    if (field.kind.isLines && field.spec.inverse !== undefined && !field.spec.computed) {
      const inverse = models.get(field.spec.relation as string)?.fields.get(field.spec.inverse);
      if (inverse !== undefined) twins.set(field, [inverse]);
    } else if (field.through) {
      const others = (sharing.get(field.through.table) ?? []).filter((other) => isFlipped(field, other));
      if (others.length > 0) twins.set(field, others);
    }
  }
  return twins;
}

function isFlipped(field: Field, other: Field): boolean {
  return field !== other && field.model === other.spec.relation && field.through?.own === other.through?.other;
}
