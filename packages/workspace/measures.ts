import type { Model } from '@kontor/orm';
import type { GroupSpec, Measure } from '@kontor/protocol';

const numeric: ReadonlySet<string> = new Set(['integer', 'float', 'decimal', 'monetary']);

/** Whether the database can add the field up; a value worked out on read it never sees. */
export function isMeasurable(model: Model, name: string): boolean {
  const field = model.fields.get(name);
  if (!field || !numeric.has(field.spec.type)) return false;
  return field.isStored || field.related !== null || (field.compute !== null && !('value' in field.compute));
}

/** Measures under the name of their field; a group of the same name would take its place in the row. */
export function fieldMeasures(
  model: Model,
  asked: readonly { readonly field: string; readonly measure: Measure }[],
  groupBy: readonly string[] = [],
): GroupSpec['fields'] {
  const taken = new Set(groupBy);
  return asked.flatMap(({ field, measure }) => {
    if (taken.has(field) || !isMeasurable(model, field)) return [];
    taken.add(field);
    return [{ name: field, field, measure }];
  });
}
