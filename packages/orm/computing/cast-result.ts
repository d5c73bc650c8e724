import { ValidationError } from '@kontor/protocol';
import { BadValue } from '../fields/kind.ts';
import type { Field } from '../model/model.ts';

/** What a compute or a handler returned, as a value of the field: records become ids, amounts are rounded to the column. */
export function castResult(field: Field, result: unknown): unknown {
  try {
    const given = result === undefined || result === null ? null : field.kind.fromResult(result);
    return field.kind.cast(given, field);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new ValidationError({ [field.name]: [error.message] });
  }
}
