import type { Field, Model, Registry } from '../model/model.ts';

/** A many2one elsewhere that points at a model. */
export interface Referrer {
  readonly model: Model;
  readonly field: Field;
}

const byRegistry = new WeakMap<Registry, ReadonlyMap<string, readonly Referrer[]>>();

/**
 * Stored many2ones that follow when what they point at is deleted: by going too, or by becoming empty. Who created or
 * last wrote a record is no part of it, so those columns are left to the database.
 */
export function referrers(registry: Registry, model: Model): readonly Referrer[] {
  let known = byRegistry.get(registry);
  if (known === undefined) {
    known = collect(registry);
    byRegistry.set(registry, known);
  }
  return known.get(model.name) ?? [];
}

function collect(registry: Registry): Map<string, Referrer[]> {
  const found = new Map<string, Referrer[]>();
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      if (!follows(field)) continue;
      const target = field.spec.relation as string;
      found.set(target, [...(found.get(target) ?? []), { model, field }]);
    }
  }
  return found;
}

function follows(field: Field): boolean {
  if (field.spec.type !== 'many2one' || field.column === null) return false;
  if (field.name === 'create_uid' || field.name === 'write_uid') return false;
  return field.spec.ondelete === 'cascade' || field.spec.ondelete === 'set null';
}
