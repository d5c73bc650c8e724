import { invalidArgs, type KontorError } from '../errors.ts';
import { containsPattern, rawPattern } from './like-pattern.ts';
import type { PositiveOperator } from './operators.ts';
import type { ValueType } from './value-types.ts';

/**
 * What a condition requires of one value, in terms of the value's type. The evaluator and the SQL compiler both start from it, so
 * that they agree on the meaning of an operator.
 *
 * - Empty is null; in text `''` too; in an x2many having no lines. `null`, and `false` for anything but a boolean, stand for
 *   it. A boolean that was never set is also `false`.
 * - Order comparisons never hold for an empty value; texts are ordered by code point.
 * - Decimals compare exactly. A day given for a datetime is its first instant in the user's time zone.
 * - A pattern fits the digits of a number in canonical form: `1250.5`.
 * - A text given for a relation is compared with the display name.
 */
export type Criterion =
  | {
      readonly kind: 'members';
      readonly values: readonly (string | number | boolean)[];
      /** Display names, for relations. */
      readonly names: readonly string[];
      readonly matchesEmpty: boolean;
    }
  | { readonly kind: 'order'; readonly operator: '<' | '<=' | '>' | '>='; readonly value: string | number }
  | {
      readonly kind: 'pattern';
      readonly pattern: string;
      readonly ignoresCase: boolean;
      /** The pattern matches everything, including empty values. */
      readonly matchesEmpty: boolean;
    }
  | { readonly kind: 'hierarchy'; readonly direction: 'down' | 'up'; readonly ids: readonly number[] };

export interface Operand {
  readonly type: ValueType;
  readonly operator: PositiveOperator;
  /** As parsed, with tokens filled in. */
  readonly value: unknown;
  /** The user's time zone. */
  readonly tz: string;
  /** The name of the field in messages. */
  readonly field: string;
}

/** Throws INVALID_ARGS if the operator or the value does not fit the type. */
export function toCriterion(operand: Operand): Criterion {
  const { operator, value } = operand;
  switch (operator) {
    case '=':
      return members(operand, [value]);
    case 'in':
      if (!Array.isArray(value)) throw misfit(operand, 'needs an array');
      return members(operand, value);
    case 'like':
    case 'ilike':
    case '=like':
    case '=ilike':
      return pattern(operand, String(value));
    case 'child_of':
    case 'parent_of':
      return hierarchy(operand);
    default:
      return { kind: 'order', operator, value: comparable(operand) };
  }
}

function members(operand: Operand, given: readonly unknown[]): Criterion {
  const { isRelation } = operand.type;
  const values: (string | number | boolean)[] = [];
  const names: string[] = [];
  let matchesEmpty = false;
  for (const value of given) {
    if (value === false || isEmptyOperand(operand.type, value)) matchesEmpty = true;
    if (isEmptyOperand(operand.type, value)) continue;
    if (isRelation && typeof value === 'string') names.push(value);
    else values.push(castValue(operand, value));
  }
  return { kind: 'members', values, names, matchesEmpty };
}

function isEmptyOperand(type: ValueType, value: unknown): boolean {
  if (value === null) return true;
  if (value === false) return !type.isBoolean;
  return value === '' && (type.isText || type.isRelation);
}

function pattern(operand: Operand, text: string): Criterion {
  const { isText, isNumber, isRelation } = operand.type;
  if (!isText && !isNumber && !isRelation) throw misfit(operand, 'works on texts, numbers and relations only');
  const { operator } = operand;
  const like = operator === 'like' || operator === 'ilike' ? containsPattern(text) : rawPattern(text);
  return { kind: 'pattern', pattern: like, ignoresCase: operator.endsWith('ilike'), matchesEmpty: /^%*$/.test(like) };
}

function hierarchy(operand: Operand): Criterion {
  if (!operand.type.isRecord) throw misfit(operand, 'works on id and on relations only');
  const given = Array.isArray(operand.value) ? operand.value : [operand.value];
  // A token such as $company_id may be empty; an empty value has no descendants.
  const ids = given.filter((id) => id !== null) as readonly unknown[];
  if (!ids.every(Number.isInteger)) throw misfit(operand, 'needs a record id or an array of record ids');
  return {
    kind: 'hierarchy',
    direction: operand.operator === 'child_of' ? 'down' : 'up',
    ids: ids as readonly number[],
  };
}

function comparable(operand: Operand): string | number {
  const { type, value } = operand;
  if (!type.isOrdered) throw misfit(operand, `does not order ${operand.field}`);
  if (value === null || Array.isArray(value)) throw misfit(operand, 'needs a value to compare with');
  return castValue(operand, value) as string | number;
}

function castValue(operand: Operand, value: unknown): string | number | boolean {
  const { type, tz } = operand;
  const cast = type.cast(value, tz);
  if (cast === null) throw misfit(operand, type.needs, type.hint);
  return cast;
}

function misfit(operand: Operand, what: string, hint?: string): KontorError {
  return invalidArgs(`${operand.field}: "${operand.operator}" ${what}.`, {
    field: operand.field,
    ...(hint === undefined ? {} : { hint }),
  });
}
