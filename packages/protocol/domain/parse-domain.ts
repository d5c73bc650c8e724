import { invalidArgs, type KontorError } from '../errors.ts';
import { isToken } from './fill-tokens.ts';
import { domainOperators, isDomainOperator, positiveOperator } from './operators.ts';
import {
  type AnyDomain,
  conjoin,
  type Domain,
  type DomainNode,
  type DomainOperator,
  disjoin,
  maxDomainDepth,
  negate,
} from './tree.ts';

const maxConditions = 1_000;
const maxPathSteps = 8;

interface Parsed {
  readonly node: DomainNode;
  readonly depth: number;
}

/** Parses the wire form of a domain; throws INVALID_ARGS that names the invalid condition. */
export function parseDomain(input: unknown): DomainNode {
  return parse(input, checkList);
}

/**
 * Reads a domain that an addon wrote, in which `in` may name a set of its field: `['state', 'in', 'open']`. `expandSets` or the
 * compiler turns the name into the values.
 */
export function parseAuthoredDomain(input: unknown): DomainNode {
  return parse(input, (value) => (typeof value === 'string' ? checkScalar(value) : checkList(value)));
}

/** Reads the operand of `in`. */
type ReadList = (value: unknown) => unknown;

function parse(input: unknown, readList: ReadList): DomainNode {
  if (!Array.isArray(input)) throw invalidArgs('A domain is an array of conditions.', { hint: '[["name", "=", "x"]]' });
  if (input.length > 2 * maxConditions) throw invalidArgs(`A domain takes at most ${maxConditions} conditions.`);
  // Parsed from the right, every operator finds its operands already on the stack, so deep nesting needs no recursion.
  const stack: Parsed[] = [];
  for (let index = input.length - 1; index >= 0; index--) {
    const item: unknown = input[index];
    if (item === '!' || item === '&' || item === '|') stack.push(applyOperator(item, index, stack));
    else stack.push({ node: parseCondition(item, index, readList), depth: 0 });
  }
  return conjoin(...stack.reverse().map((parsed) => parsed.node));
}

/** The tree of a domain from server code. Domains from the wire must be parsed with `parseDomain` first. */
export function domainTree(domain: AnyDomain): DomainNode {
  const isTree = typeof domain === 'object' && domain !== null && 'kind' in domain;
  return isTree ? domain : parseAuthoredDomain(domain);
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

function parseCondition(item: unknown, index: number, readList: ReadList): DomainNode {
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
    return { kind: 'condition', path: steps, operator, value: checkValue(operator, value, readList) };
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

const maxValues = 10_000;
/** The maximum length of a search text, because the database compares it with every row at every position. */
const maxPattern = 2_000;

/** A domain value that no field accepts; the parser turns it into INVALID_ARGS with the position of the condition. */
class BadDomainValue extends Error {}

/** The value of a condition as plain data: strings, numbers, booleans, null and arrays of them. */
function checkValue(operator: DomainOperator, value: unknown, readList: ReadList): unknown {
  switch (positiveOperator(operator)) {
    case '=':
      if (Array.isArray(value)) throw new BadDomainValue('takes one value; use "in" for several');
      return checkScalar(value);
    case 'in':
      return readList(value);
    case 'like':
    case 'ilike':
    case '=like':
    case '=ilike':
      if (typeof value !== 'string') throw new BadDomainValue('needs a string');
      if (value.length > maxPattern) throw new BadDomainValue(`takes at most ${maxPattern} characters`);
      return checkScalar(value);
    case 'child_of':
    case 'parent_of':
      return checkIds(value);
    default:
      return checkComparable(value);
  }
}

function checkList(value: unknown): unknown {
  if (value === '$company_ids' || value === '$groups') return value;
  if (!Array.isArray(value)) throw new BadDomainValue('needs an array');
  return checkArray(value);
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

/** Server code may compare with its decimal type; JSON cannot contain functions, so external callers never get here. */
function isDecimalObject(value: unknown): value is { toString(): string } {
  return typeof value === 'object' && value !== null && 'toFixed' in value && typeof value.toFixed === 'function';
}

/** The parts of a domain that must all match: each is one chip. */
export function topConditions(domain: Domain): readonly DomainNode[] {
  const node = parseDomain(domain);
  if (node.kind === 'all') return [];
  return node.kind === 'and' ? node.nodes : [node];
}
