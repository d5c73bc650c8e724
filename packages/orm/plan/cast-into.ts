import { BadValue } from '../fields/kind.ts';
import type { Field } from '../model/model.ts';

/** Casts a value into a row; false if the field rejects it. */
export function castInto(row: Map<Field, unknown>, field: Field, value: unknown): boolean {
  try {
    const cast = field.kind.cast(value, field) ?? null;
    field.kind.checkGiven?.(cast, field);
    row.set(field, cast);
    return true;
  } catch (error) {
    if (error instanceof BadValue) return false;
    throw error;
  }
}
