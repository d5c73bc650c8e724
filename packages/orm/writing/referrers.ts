import { inverseLists } from '../lists/inverse-lists.ts';
import type { Field, Model, Registry } from '../model/model.ts';

/** A relation elsewhere that points at a model. */
export interface Referrer {
  readonly model: Model;
  readonly field: Field;
}

interface Referrers {
  /** Relations that follow when what they point at is deleted: by going too, becoming empty or losing the link. */
  readonly following: readonly Referrer[];
  /** Many2ones that keep what they point at from being deleted. */
  readonly holding: readonly Referrer[];
}

const nobody: Referrers = { following: [], holding: [] };
const byRegistry = new WeakMap<Registry, ReadonlyMap<string, Referrers>>();

/**
 * What points at a model, by what becomes of it when a record there is deleted. Who created or last wrote a record is no
 * part of it, nor is what the server works out: those columns are left to the database.
 */
export function referrers(registry: Registry, model: Model): Referrers {
  let known = byRegistry.get(registry);
  if (known === undefined) {
    known = collect(registry);
    byRegistry.set(registry, known);
  }
  return known.get(model.name) ?? nobody;
}

function collect(registry: Registry): Map<string, Referrers> {
  const found = new Map<string, { following: Referrer[]; holding: Referrer[] }>();
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      if (!pointsByItself(registry, field)) continue;
      const target = field.spec.relation as string;
      const own = found.get(target) ?? { following: [], holding: [] };
      found.set(target, own);
      (field.through === null && field.spec.ondelete === 'restrict' ? own.holding : own.following).push({
        model,
        field,
      });
    }
  }
  return found;
}

function pointsByItself(registry: Registry, field: Field): boolean {
  if (field.through !== null) return isMainSide(registry, field);
  if (!field.kind.isToOne || field.column === null) return false;
  if (field.compute !== null || field.related !== null) return false;
  return field.name !== 'create_uid' && field.name !== 'write_uid';
}

/**
 * Deleting a tag is news for the orders that had it, deleting an order is none for its tags: of two fields over one
 * table only the one that the other names as its inverse follows.
 */
function isMainSide(registry: Registry, field: Field): boolean {
  const [mirror] = inverseLists(registry, field);
  return mirror === undefined || (mirror.field.spec.inverse === field.name && field.spec.inverse === undefined);
}
