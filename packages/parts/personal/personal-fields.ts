import type { Field, Model } from '@kontor/orm';

/** Stored fields that hold something of a person. What is computed from them follows by itself. */
export function personalFields(model: Model): readonly Field[] {
  return [...model.fields.values()].filter(
    (field) => field.spec.personal === true && field.column !== null && (field.compute === null || field.isEditable),
  );
}
