import type { ComputeByValue } from '../../model/behaviour.ts';
import type { Field } from '../../model/model.ts';

/** A field whose value is worked out in server code each time it is read; everything else has an SQL form. */
export function isComputedOnRead(field: Field): field is Field & { readonly compute: ComputeByValue } {
  return field.compute !== null && 'value' in field.compute && !field.isStored && field.spec.stored !== true;
}
