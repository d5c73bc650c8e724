import type { Criterion } from './criterion.ts';
import { matchesPattern } from './like-pattern.ts';
import type { ValueType } from './value-types.ts';

/** Ids of the records above a record, nearest first; only child_of and parent_of need it. */
export type Ancestors = (id: number) => readonly number[];

/** Whether a value (for a relation: one record of it) fits. Emptiness of the whole field is the caller's to judge. */
export function fits(criterion: Criterion, type: ValueType, value: unknown, ancestors: Ancestors): boolean {
  if (type.isRelation) return recordFits(criterion, value, ancestors);
  switch (criterion.kind) {
    case 'members':
      return criterion.values.some((member) => type.compare(value, member) === 0);
    case 'order':
      return holds(criterion.operator, type.compare(value, criterion.value));
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
