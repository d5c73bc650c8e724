import { isDate } from '../calendar.ts';
import { parseInstant } from '../clock.ts';
import { canonicalDecimal } from '../decimal-text.ts';
import type { DomainOperator } from './tree.ts';
import { type ValueType, valueTypes } from './value-types.ts';

/**
 * The type of a value of which nothing is known but the value and what it is compared with. Null: the two cannot be
 * compared, because the name of a bare record id is not loaded.
 */
export function inferType(value: unknown, operator: DomainOperator, operand: unknown): ValueType | null {
  const sample: unknown = Array.isArray(operand) ? operand.find((one) => one !== null && one !== false) : operand;
  if (Array.isArray(value)) return valueTypes.x2many;
  switch (typeof value) {
    case 'boolean':
      return valueTypes.boolean;
    case 'number':
      if (typeof sample !== 'string') return valueTypes.id;
      if (sample === '') return valueTypes.many2one;
      return operator.endsWith('like') || canonicalDecimal(sample) === null ? null : valueTypes.decimal;
    case 'string':
      return inferTextType(value, sample);
    case 'object':
      if (value === null) return inferEmptyType(sample);
      if ('toFixed' in value) return valueTypes.decimal;
      return Object.hasOwn(value, 'id') ? valueTypes.many2one : valueTypes.opaque;
    default:
      return valueTypes.opaque;
  }
}

function inferTextType(value: string, sample: unknown): ValueType {
  if (typeof sample === 'number' && canonicalDecimal(value) !== null) return valueTypes.decimal;
  if (typeof sample !== 'string') return valueTypes.text;
  const isTime = (text: string) => isDate(text) || parseInstant(text) !== null;
  if (parseInstant(value) !== null && isTime(sample)) return valueTypes.datetime;
  return valueTypes.text;
}

/** Nothing is equal to no other thing, whatever its type; the operand decides what is well formed. */
function inferEmptyType(sample: unknown): ValueType {
  if (typeof sample === 'number' || sample === undefined) return valueTypes.id;
  return typeof sample === 'boolean' ? valueTypes.boolean : valueTypes.text;
}
