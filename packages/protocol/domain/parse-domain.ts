import { invalidArgs, type KontorError } from '../errors.ts';
import { BadDomainValue, checkValue } from './check-value.ts';
import { conjoin, disjoin, negate } from './conjoin.ts';
import { domainOperators, isDomainOperator } from './operators.ts';
import { type AnyDomain, type DomainNode, maxDomainDepth } from './tree.ts';

const maxConditions = 1_000;
const maxPathSteps = 8;

interface Parsed {
  readonly node: DomainNode;
  readonly depth: number;
}

/** Reads the wire form of a domain; throws INVALID_ARGS that names the condition that is wrong. */
export function parseDomain(input: unknown): DomainNode {
  if (!Array.isArray(input)) throw invalidArgs('A domain is an array of conditions.', { hint: '[["name", "=", "x"]]' });
  if (input.length > 2 * maxConditions) throw invalidArgs(`A domain takes at most ${maxConditions} conditions.`);
  // Read from the right, every operator finds its operands already on the stack: no recursion for a hostile depth to use up.
  const stack: Parsed[] = [];
  for (let index = input.length - 1; index >= 0; index--) {
    const item: unknown = input[index];
    if (item === '!' || item === '&' || item === '|') stack.push(applyOperator(item, index, stack));
    else stack.push({ node: parseCondition(item, index), depth: 0 });
  }
  return conjoin(...stack.reverse().map((parsed) => parsed.node));
}

/** The tree of a domain. What came over the wire is parsed, never taken for a tree: hand over an array or what was parsed. */
export function domainTree(domain: AnyDomain): DomainNode {
  const isTree = typeof domain === 'object' && domain !== null && 'kind' in domain;
  return isTree ? domain : parseDomain(domain);
}

function applyOperator(operator: '!' | '&' | '|', index: number, stack: Parsed[]): Parsed {
  const first = stack.pop();
  const second = operator === '!' ? first : stack.pop();
  if (first === undefined || second === undefined) {
    const needed = operator === '!' ? 'one condition' : 'two conditions';
    throw invalidArgs(`Domain item ${index}: "${operator}" needs ${needed} after it.`);
  }
  const depth = 1 + Math.max(first.depth, second.depth);
  if (depth > maxDomainDepth) throw invalidArgs(`A domain nests at most ${maxDomainDepth} operators deep.`);
  if (operator === '!') return { node: negate(first.node), depth };
  const combine = operator === '&' ? conjoin : disjoin;
  return { node: combine(first.node, second.node), depth };
}

function parseCondition(item: unknown, index: number): DomainNode {
  if (!Array.isArray(item)) {
    throw invalidArgs(`Domain item ${index} is neither a condition nor one of "&", "|", "!".`, {
      hint: 'A condition is [field, operator, value].',
    });
  }
  if (item.length !== 3) {
    throw invalidArgs(`Domain item ${index} has ${item.length} elements; a condition is [field, operator, value].`);
  }
  const [path, operator, value] = item as [unknown, unknown, unknown];
  const steps = parsePath(path, index);
  if (!isDomainOperator(operator)) {
    throw badCondition(index, String(path), `has an unknown operator ${shorten(operator)}`, {
      hint: domainOperators.join(' '),
    });
  }
  try {
    return { kind: 'condition', path: steps, operator, value: checkValue(operator, value) };
  } catch (error) {
    if (error instanceof BadDomainValue) throw badCondition(index, String(path), `"${operator}" ${error.message}`);
    throw error;
  }
}

function parsePath(path: unknown, index: number): readonly string[] {
  if (typeof path !== 'string') throw invalidArgs(`Domain item ${index}: the field must be a string.`);
  const steps = path.split('.');
  if (steps.length > maxPathSteps) {
    throw badCondition(index, shorten(path), `goes through more than ${maxPathSteps} steps`);
  }
  if (!steps.every((step) => /^[a-z_][a-z0-9_]{0,62}$/i.test(step))) {
    throw invalidArgs(`Domain item ${index}: ${shorten(path)} is not a field.`, { field: path.slice(0, 100) });
  }
  return steps;
}

function badCondition(index: number, field: string, what: string, details: { hint?: string } = {}): KontorError {
  return invalidArgs(`Domain item ${index} on ${field}: ${what}.`, { field, ...details });
}

function shorten(value: unknown): string {
  if (typeof value !== 'string') return `of type ${value === null ? 'null' : typeof value}`;
  return JSON.stringify(value.slice(0, 60).replace(/\p{Surrogate}/gu, '?'));
}
