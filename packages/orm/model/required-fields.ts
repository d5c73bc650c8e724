import type { Field, Model } from './model.ts';

const requiredByModel = new WeakMap<Model, readonly Field[]>();
const systemColumns: ReadonlySet<string> = new Set(['id', 'create_date', 'create_uid', 'write_date', 'write_uid']);

/** Fields that every record has a value for, and that the server does not compute. */
export function requiredFields(model: Model): readonly Field[] {
  let required = requiredByModel.get(model);
  if (required === undefined) {
    required = [...model.fields.values()].filter(
      (field) => field.required && field.compute === null && field.related === null && !systemColumns.has(field.name),
    );
    requiredByModel.set(model, required);
  }
  return required;
}

/** Whether `create` must be given a required field: it has no default, and neither a state nor an editable compute sets it. */
export function isNeeded({ states }: Model, { name, isEditable, spec, kind }: Field): boolean {
  const isSet = isEditable || spec.default !== undefined || kind.isBoolean;
  return !isSet && name !== states?.field && name !== states?.stages?.field;
}

/** The fields that `create` must be given. */
export function neededFields(model: Model): readonly Field[] {
  return requiredFields(model).filter((field) => isNeeded(model, field));
}
