import type { Field, Model, Registry } from '../model/model.ts';

/** x2many fields elsewhere that show the other side of a relation. */
interface InverseList {
  readonly model: Model;
  readonly field: Field;
}

const byRegistry = new WeakMap<Registry, ReadonlyMap<string, readonly InverseList[]>>();

/** one2manys over a many2one, or the many2manys that use the same table from the other end. */
export function inverseLists(registry: Registry, field: Field): readonly InverseList[] {
  let lists = byRegistry.get(registry);
  if (lists === undefined) {
    lists = collect(registry);
    byRegistry.set(registry, lists);
  }
  const key = field.through ? `${field.through.table}.${field.through.own}` : `${field.model}.${field.name}`;
  return lists.get(key) ?? [];
}

function collect(registry: Registry): Map<string, InverseList[]> {
  const lists = new Map<string, InverseList[]>();
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      const key = keyOf(field);
      if (key === null) continue;
      const known = lists.get(key);
      if (known) known.push({ model, field });
      else lists.set(key, [{ model, field }]);
    }
  }
  return lists;
}

function keyOf(field: Field): string | null {
  if (field.through) return `${field.through.table}.${field.through.other}`;
  return field.kind.isLines ? `${field.spec.relation}.${field.spec.inverse}` : null;
}
