import type { DomainOperator } from './tree.ts';

/** The operator without its negation. */
export type PositiveOperator = Exclude<DomainOperator, '!=' | 'not in' | 'not like' | 'not ilike'>;

const positiveOperators: ReadonlyMap<string, PositiveOperator> = new Map([
  ['=', '='],
  ['!=', '='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
  ['in', 'in'],
  ['not in', 'in'],
  ['like', 'like'],
  ['not like', 'like'],
  ['ilike', 'ilike'],
  ['not ilike', 'ilike'],
  ['=like', '=like'],
  ['=ilike', '=ilike'],
  ['child_of', 'child_of'],
  ['parent_of', 'parent_of'],
]);

export const domainOperators = [...positiveOperators.keys()] as readonly DomainOperator[];

export function isDomainOperator(value: unknown): value is DomainOperator {
  return typeof value === 'string' && positiveOperators.has(value);
}

export function positiveOperator(operator: DomainOperator): PositiveOperator {
  return positiveOperators.get(operator) as PositiveOperator;
}

export function isNegativeOperator(operator: DomainOperator): boolean {
  return positiveOperators.get(operator) !== operator;
}
