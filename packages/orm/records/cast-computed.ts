import { BadValue } from '../fields/kind.ts';
import type { Field } from '../model/model.ts';
import { isToMany } from './projection/field-forms.ts';

/** What a compute returned, as a value of its field: records become ids, nothing becomes null, decimals are rounded to fit. */
export function castComputed(field: Field, value: unknown): unknown {
  if (isToMany(field)) return Array.isArray(value) ? value.map(idOf) : [];
  if (value === undefined || value === null) return null;
  try {
    return field.kind.cast(field.spec.type === 'many2one' ? idOf(value) : value, field);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new Error(`The compute of ${field.model}.${field.name} returned a value that does not fit: ${error.message}`);
  }
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
}
