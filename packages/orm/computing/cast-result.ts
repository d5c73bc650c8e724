import { ValidationError } from '@kontor/protocol';
import { parseDecimal } from '../decimal.ts';
import { BadValue } from '../fields/kind.ts';
import type { Field } from '../model/model.ts';

/** What a compute or a handler returned, as a value of the field: records become ids, amounts are rounded to the column. */
export function castResult(field: Field, result: unknown): unknown {
  try {
    return field.kind.cast(prepare(field, result), field);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new ValidationError({ [field.name]: [error.message] });
  }
}

function prepare(field: Field, result: unknown): unknown {
  if (result === undefined || result === null) return null;
  switch (field.spec.type) {
    case 'decimal':
    case 'monetary':
      // A Decimal is rounded where a number that somebody typed would be refused.
      return parseDecimal(typeof result === 'number' ? roundNoise(result) : result);
    case 'integer':
      return typeof result === 'object' ? Number(result) : result;
    case 'float':
      return typeof result === 'object' ? Number(result) : result;
    case 'many2one':
      return typeof result === 'object' ? (result as { id: unknown }).id : result;
    default:
      return result;
  }
}

/** A float that was worked out, such as 0.1 + 0.2, has digits past the 15 that mean something. */
function roundNoise(result: number): number | string {
  return Number.isFinite(result) ? Number(result.toPrecision(15)) : result;
}
