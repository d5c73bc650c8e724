import { isToken } from './fill-tokens.ts';
import { positiveOperator } from './operators.ts';
import type { DomainOperator } from './tree.ts';

const maxValues = 10_000;

/** A domain value that no field could take; the parser turns it into INVALID_ARGS with the condition's place. */
export class BadDomainValue extends Error {}

/** The value of a condition as plain data: strings, numbers, booleans, null and arrays of them. */
export function checkValue(operator: DomainOperator, value: unknown): unknown {
  switch (positiveOperator(operator)) {
    case '=':
      if (Array.isArray(value)) throw new BadDomainValue('takes one value; use "in" for several');
      return checkScalar(value);
    case 'in':
      if (value === '$company_ids') return value;
      if (!Array.isArray(value)) throw new BadDomainValue('needs an array');
      return checkArray(value);
    case 'like':
    case 'ilike':
    case '=like':
    case '=ilike':
      if (typeof value !== 'string') throw new BadDomainValue('needs a string');
      return checkScalar(value);
    case 'child_of':
    case 'parent_of':
      return checkIds(value);
    default:
      return checkComparable(value);
  }
}

function checkArray(values: readonly unknown[]): readonly unknown[] {
  if (values.length > maxValues) throw new BadDomainValue(`takes at most ${maxValues} values`);
  return Array.from(values, checkScalar);
}

function checkIds(value: unknown): unknown {
  const isId = (one: unknown) => Number.isInteger(one) || isToken(one);
  if (Array.isArray(value) ? checkArray(value).every(isId) : isId(value)) return value;
  throw new BadDomainValue('needs a record id or an array of record ids');
}

function checkComparable(value: unknown): unknown {
  const scalar = Array.isArray(value) ? null : checkScalar(value);
  if (typeof scalar === 'string' || typeof scalar === 'number') return scalar;
  throw new BadDomainValue('needs a number, a date or a text');
}

function checkScalar(value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new BadDomainValue('holds a null byte');
    if (/\p{Surrogate}/u.test(value)) throw new BadDomainValue('holds a broken character (a lone surrogate)');
    return value;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new BadDomainValue('is not a finite number');
    return value;
  }
  if (isDecimalObject(value)) return value.toString();
  throw new BadDomainValue('is neither text, number, boolean nor null');
}

/** Server code may compare with its decimal type; JSON cannot carry functions, so a caller outside never gets here. */
function isDecimalObject(value: unknown): value is { toString(): string } {
  return typeof value === 'object' && value !== null && 'toFixed' in value && typeof value.toFixed === 'function';
}
