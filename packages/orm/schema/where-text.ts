import { compile, ident, literal } from '@kontor/database';
import { type Domain, type DomainNode, KontorError, parseAuthoredDomain } from '@kontor/protocol';
import { BadValue } from '../fields/kind.ts';
import { expandSets } from '../model/expand-sets.ts';
import type { Field } from '../model/model.ts';

type Condition = Extract<DomainNode, { kind: 'condition' }>;
type FieldOf = (name: string) => Field | undefined;

const comparisons: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** A domain over a model's own columns and constants as the condition of an index, in SQL text. Throws `BadValue`. */
export function whereText(domain: Domain, fieldOf: FieldOf): string {
  return nodeText(
    expandSets(parseAuthoredDomain(domain), ([name]) => fieldOf(name as string)),
    fieldOf,
  );
}

/** Why a domain cannot be such a condition; null if it can. */
export function whereFault(domain: Domain, fieldOf: FieldOf): string | null {
  try {
    whereText(domain, fieldOf);
    return null;
  } catch (error) {
    if (error instanceof BadValue || error instanceof KontorError) return error.message;
    throw error;
  }
}

function nodeText(node: DomainNode, fieldOf: FieldOf): string {
  switch (node.kind) {
    case 'all':
      return 'true';
    case 'none':
      return 'false';
    case 'and':
    case 'or':
      return `(${node.nodes.map((each) => nodeText(each, fieldOf)).join(` ${node.kind} `)})`;
    case 'not':
      return `(${nodeText(node.node, fieldOf)} is not true)`;
    case 'condition':
      return conditionText(node, fieldOf);
  }
}

function conditionText({ path, operator, value }: Condition, fieldOf: FieldOf): string {
  const field = path.length === 1 ? fieldOf(path[0] as string) : undefined;
  if (!field?.column) throw new BadValue(`"${path.join('.')}" is no stored field of the model itself.`);
  const column = compile(ident(field.column)).text;
  if (operator === '=' || operator === '!=') return equals(field, column, [value], operator === '!=');
  if (operator === 'in' || operator === 'not in') {
    return equals(field, column, value as readonly unknown[], operator === 'not in');
  }
  if (!comparisons.has(operator)) throw new BadValue(`"${operator}" cannot be asked of an index.`);
  return `(${column} ${operator} ${constant(field, value)})`;
}

function equals(field: Field, column: string, values: readonly unknown[], isNegative: boolean): string {
  const isEmpty = (value: unknown) => value === null || (value === false && !field.kind.isBoolean);
  const given = values.filter((value) => !isEmpty(value)).map((value) => constant(field, value));
  const parts = [
    ...(given.length > 0 ? [`${column} in (${given.join(', ')})`] : []),
    ...(values.some(isEmpty) ? [`${column} is null`] : []),
    ...(values.some(isEmpty) && field.kind.isText ? [`${column} = ''`] : []),
  ];
  const text = parts.length > 0 ? `(${parts.join(' or ')})` : 'false';
  return isNegative ? `(${text} is not true)` : text;
}

function constant(field: Field, value: unknown): string {
  if (typeof value === 'string' && value.startsWith('$')) throw new BadValue(`${value} is not the same for everybody.`);
  const parameter = field.kind.toParameter(field.kind.cast(value, field));
  if (typeof parameter === 'number' || typeof parameter === 'boolean') return String(parameter);
  if (typeof parameter === 'string') return compile(literal(parameter)).text.trim();
  throw new BadValue(`${JSON.stringify(value)} is no constant of ${field.name}.`);
}
