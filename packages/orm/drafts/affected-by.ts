import { computeOf } from '../computing/compute-of.ts';
import type { Field, Model, Registry } from '../model/model.ts';
import { sourcesOf as editableSources } from './editables.ts';

type Readers = ReadonlyMap<string, ReadonlySet<string>>;
const byRegistry = new WeakMap<Registry, Readers>();

/** All computes, stored or not, editable ones included, that a change of the given fields may reach, as `model.field`. */
export function affectedBy(registry: Registry, changed: Iterable<string>): Set<string> {
  const readers = readersOf(registry);
  const reached = new Set<string>();
  const queue = [...changed];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const reader of readers.get(next) ?? []) {
      if (reached.has(reader)) continue;
      reached.add(reader);
      queue.push(reader);
    }
  }
  return reached;
}

function readersOf(registry: Registry): Readers {
  const known = byRegistry.get(registry);
  if (known) return known;
  const readers = new Map<string, Set<string>>();
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      const paths = computeOf(model, field)?.depends ?? [];
      const sources = field.isEditable
        ? [...editableSources(field)].map((name) => `${model.name}.${name}`)
        : paths.flatMap((path) => sourcesOf(registry, model, path));
      for (const source of sources) {
        const own = readers.get(source) ?? new Set();
        readers.set(source, own.add(`${model.name}.${field.name}`));
      }
    }
  }
  byRegistry.set(registry, readers);
  return readers;
}

/** Each field along the path, and the many2one on the other side of a one2many. */
function sourcesOf(registry: Registry, start: Model, path: string): readonly string[] {
  const sources: string[] = [];
  let model: Model | null = start;
  for (const name of path.split('.')) {
    const field: Field | undefined = model?.fields.get(name);
    if (!field) break;
    sources.push(`${field.model}.${name}`);
    model = field.spec.relation ? registry.model(field.spec.relation) : null;
    if (model && field.spec.inverse) sources.push(`${model.name}.${field.spec.inverse}`);
  }
  return sources;
}
