import type { Field, Model, Registry } from '../model/model.ts';
import { inverseLists } from './inverse-lists.ts';

/** A relation elsewhere that points at a model. */
interface Referrer {
  readonly model: Model;
  readonly field: Field;
}

const byRegistry = new WeakMap<Registry, ReadonlyMap<string, readonly Referrer[]>>();

/**
 * Relations that follow when what they point at is deleted: many2ones by going too or becoming empty, many2manys by
 * losing the link. Who created or last wrote a record is no part of it, so those columns are left to the database.
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
      if (!follows(registry, field)) continue;
      const target = field.spec.relation as string;
      found.set(target, [...(found.get(target) ?? []), { model, field }]);
    }
  }
  return found;
}

function follows(registry: Registry, field: Field): boolean {
  if (field.through !== null) return isMainSide(registry, field);
  if (field.spec.type !== 'many2one' || field.column === null) return false;
  if (field.name === 'create_uid' || field.name === 'write_uid') return false;
  return field.spec.ondelete === 'cascade' || field.spec.ondelete === 'set null';
}

/**
 * Deleting a tag is news for the orders that had it, deleting an order is none for its tags: of two fields over one
 * table only the one that the other names as its inverse follows.
 */
function isMainSide(registry: Registry, field: Field): boolean {
  const [mirror] = inverseLists(registry, field);
  return mirror === undefined || (mirror.field.spec.inverse === field.name && field.spec.inverse === undefined);
}
