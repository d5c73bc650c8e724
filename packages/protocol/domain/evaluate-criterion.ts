import { parseInstant } from '../clock.ts';
import { canonicalDecimal, compareDecimals } from '../decimal-text.ts';
import type { ValueType } from '../field-types.ts';
import type { Criterion } from './criterion.ts';
import { matchesPattern } from './like-pattern.ts';

/** Ids of the records above a record, nearest first; only child_of and parent_of need it. */
export type Ancestors = (id: number) => readonly number[];

/** Whether a value (for a relation: one record of it) fits. Emptiness of the whole field is the caller's to judge. */
export function fits(criterion: Criterion, type: ValueType, value: unknown, ancestors: Ancestors): boolean {
  if (type === 'many2one' || type === 'x2many') return recordFits(criterion, value, ancestors);
  switch (criterion.kind) {
    case 'members':
      return criterion.values.some((member) => compare(type, value, member) === 0);
    case 'order':
      return holds(criterion.operator, compare(type, value, criterion.value));
    case 'pattern':
      return typeof value === 'string' && patternFits(criterion, value);
    case 'hierarchy':
      return typeof value === 'number' && hierarchyFits(criterion, value, ancestors);
  }
}

function recordFits(criterion: Criterion, value: unknown, ancestors: Ancestors): boolean {
  const record =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : { id: value };
  const name = Object.hasOwn(record, 'display_name') ? record.display_name : null;
  switch (criterion.kind) {
    case 'members':
      return criterion.values.includes(record.id as number) || criterion.names.includes(name as string);
    case 'pattern':
      return typeof name === 'string' && patternFits(criterion, name);
    case 'hierarchy':
      return typeof record.id === 'number' && hierarchyFits(criterion, record.id, ancestors);
    case 'order':
      return false;
  }
}

function patternFits(criterion: Extract<Criterion, { kind: 'pattern' }>, text: string): boolean {
  if (!criterion.ignoresCase) return matchesPattern(text, criterion.pattern);
  return matchesPattern(text.toLowerCase(), criterion.pattern.toLowerCase());
}

function hierarchyFits(
  criterion: Extract<Criterion, { kind: 'hierarchy' }>,
  id: number,
  ancestors: Ancestors,
): boolean {
  const { direction, ids } = criterion;
  if (ids.includes(id)) return true;
  if (direction === 'down') return ancestors(id).some((above) => ids.includes(above));
  return ids.some((given) => ancestors(given).includes(id));
}

function holds(operator: '<' | '<=' | '>' | '>=', order: number | null): boolean {
  if (order === null) return false;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

/** Negative, zero or positive; null where the two cannot be compared. */
function compare(type: ValueType, value: unknown, other: string | number | boolean): number | null {
  switch (type) {
    case 'decimal': {
      const decimal = canonicalDecimal(value);
      return decimal === null ? null : compareDecimals(decimal, other as string);
    }
    case 'datetime': {
      const instant = typeof value === 'string' ? parseInstant(value) : null;
      return instant === null ? null : instant - (parseInstant(other as string) as number);
    }
    case 'text':
    case 'date':
      return typeof value === 'string' ? compareCodePoints(value, other as string) : null;
    case 'boolean':
      return value === other ? 0 : null;
    default:
      return typeof value === 'number' ? value - (other as number) : null;
  }
}

/** The order of UTF-8 bytes, which is that of code points; UTF-16 units would put emoji before some letters. */
function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    if (left.charCodeAt(index) === right.charCodeAt(index)) continue;
    // A difference in the second half of a pair implies equal first halves, so comparing from here is still right.
    const [a, b] = [left.codePointAt(index) as number, right.codePointAt(index) as number];
    return a - b;
  }
  return left.length - right.length;
}
