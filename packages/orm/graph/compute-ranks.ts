import type { Field, Model, Registry, Trigger } from '../model/model.ts';
import { computeOf, isByValue } from './compute-of.ts';

/** The rank of a stored compute, by `model.field`; computes of one model with the same rank run as one batch. */
export type ComputeRanks = ReadonlyMap<string, number>;

const ranksOf = new WeakMap<Registry, ComputeRanks>();

/**
 * Every stored compute ranks above those it depends on. Computes of one record that read each other directly share a
 * rank, so that a chain on one record costs one load and one update.
 */
export function computeRanks(registry: Registry): ComputeRanks {
  const known = ranksOf.get(registry);
  if (known) return known;
  const sources = sourcesOf(registry);
  const ranks = new Map<string, number>();
  const open = new Set<string>();
  const rank = (key: string): number => {
    const done = ranks.get(key);
    if (done !== undefined) return done;
    // Assembly rejects cycles; a field that reads itself along a tree (parents, children) settles in rounds instead.
    if (open.has(key)) return 0;
    open.add(key);
    let highest = 0;
    for (const source of sources.get(key) ?? []) highest = Math.max(highest, rank(source.key) + source.step);
    open.delete(key);
    ranks.set(key, highest);
    return highest;
  };
  for (const key of sources.keys()) rank(key);
  delayEnds(registry, ranks, sources);
  ranksOf.set(registry, ranks);
  return ranks;
}

/** Fields that nothing else reads run with the last batch of their model and kind: one statement instead of two. */
function delayEnds(
  registry: Registry,
  ranks: Map<string, number>,
  sources: ReadonlyMap<string, readonly Source[]>,
): void {
  const read = new Set([...sources.values()].flatMap((each) => each.map((source) => source.key)));
  for (const model of registry.models.values()) {
    const fields = registry.storedComputes(model.name);
    const last = (isValue: boolean): number =>
      Math.max(...fields.filter((field) => isByValue(field) === isValue).map((field) => ranks.get(keyOf(field)) ?? 0));
    for (const field of fields) {
      if (!read.has(keyOf(field))) ranks.set(keyOf(field), last(isByValue(field)));
    }
  }
}

function keyOf(field: Field): string {
  return `${field.model}.${field.name}`;
}

interface Source {
  readonly key: string;
  readonly step: 0 | 1;
}

function sourcesOf(registry: Registry): ReadonlyMap<string, readonly Source[]> {
  const sources = new Map<string, Source[]>();
  const of = (key: string): Source[] => {
    let list = sources.get(key);
    if (!list) {
      list = [];
      sources.set(key, list);
    }
    return list;
  };
  for (const model of registry.models.values()) {
    for (const field of registry.storedComputes(model.name)) {
      const key = keyOf(field);
      of(key);
      for (const trigger of registry.triggers(model.name, field.name)) {
        const target = `${trigger.model}.${trigger.field}`;
        if (target !== key) of(target).push({ key, step: mayShareBatch(model, field, trigger) ? 0 : 1 });
      }
    }
  }
  return sources;
}

function mayShareBatch(model: Model, source: Field, trigger: Trigger): boolean {
  if (trigger.model !== model.name || trigger.path.length > 0 || source.spec.relation) return false;
  const target = model.fields.get(trigger.field);
  return target !== undefined && isByValue(source) && isByValue(target) && readsOnlyColumns(model, target);
}

/** A field that is computed while loading would be computed from the values before this batch. */
function readsOnlyColumns(model: Model, field: Field): boolean {
  const depends = computeOf(model, field)?.depends ?? [];
  return depends.every((path) => {
    if (path.includes('.')) return true;
    const own = model.fields.get(path);
    return own?.isStored === true || own?.spec.relation !== undefined;
  });
}
