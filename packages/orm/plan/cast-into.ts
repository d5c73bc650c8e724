import { BadValue } from '../fields/kind.ts';
import type { Field } from '../model/model.ts';

/** Casts a value into a row; false where the field refuses it. */
export function castInto(row: Map<Field, unknown>, field: Field, value: unknown): boolean {
  try {
    row.set(field, field.kind.cast(value, field) ?? null);
    return true;
  } catch (error) {
    if (error instanceof BadValue) return false;
    throw error;
  }
}
