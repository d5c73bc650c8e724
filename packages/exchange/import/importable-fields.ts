import { type Env, type Field, type Model, mayReadField } from '@kontor/orm';
import type { ImportTarget } from '@kontor/protocol';

const unreadable: ReadonlySet<string> = new Set(['one2many', 'binary', 'image']);

/** Fields that the person may set by an import: those that RPC lets them write, but for files and lines. */
export function importableFields(env: Env, model: Model): Field[] {
  return [...model.fields.values()].filter((field) => isImportable(env, field));
}

export function isImportable(env: Env, field: Field): boolean {
  const { spec } = field;
  if (unreadable.has(spec.type) || spec.secret || field.isReadonly || field.name === 'id') return false;
  if (field.compute !== null || field.related !== null) return false;
  return (field.column !== null || spec.type === 'many2many') && mayReadField(env, field);
}

export function importTargets(env: Env, model: Model): ImportTarget[] {
  const uniques = new Set(uniqueFields(model).map((field) => field.name));
  const own = importableFields(env, model).map((field) => ({
    name: field.name,
    label: field.label,
    type: field.spec.type,
    required: field.required && field.spec.default === undefined && !field.isEditable,
    unique: uniques.has(field.name),
  }));
  return [{ name: 'id', label: 'ID', type: 'id', required: false, unique: true }, ...own];
}

/** Fields whose value no two records share. */
export function uniqueFields(model: Model): Field[] {
  const alone = model.uniques.flatMap(({ fields }) => (fields.length === 1 ? fields : []));
  return [...new Set(alone)].flatMap((name) => model.fields.get(name) ?? []).filter((field) => field.column !== null);
}
