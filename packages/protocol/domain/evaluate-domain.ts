import { isDate } from '../calendar.ts';
import { parseInstant } from '../clock.ts';
import { canonicalDecimal } from '../decimal-text.ts';
import { invalidArgs } from '../errors.ts';
import { fieldType, valueTypeOf } from '../field-types.ts';
import { type Criterion, toCriterion } from './criterion.ts';
import { type DomainTokens, fillValue } from './fill-tokens.ts';
import { matchesPattern } from './like-pattern.ts';
import { isNegativeOperator, positiveOperator } from './operators.ts';
import type { ConditionNode, DomainNode, DomainOperator } from './tree.ts';
import { type ValueType, valueTypes } from './value-types.ts';

export interface EvaluateContext {
  readonly tokens?: DomainTokens;
  /** The user's time zone; UTC by default. */
  readonly tz?: string;
  /** The field type at a path (`char`, `monetary`, …); if unknown it is inferred from the value. */
  typeOf?(path: readonly string[]): string | undefined;
  /** Ids above a record of the model at the end of the path; without it child_of and parent_of are rejected. */
  ancestors?(id: number, path: readonly string[]): readonly number[];
}

type PlainRecord = Readonly<Record<string, unknown>>;

/**
 * Whether a record satisfies a domain, with the same meaning as in SQL. Many2ones are records, ids or null, x2many arrays of
 * records or ids; a condition on a path that is not loaded is false.
 */
export function evaluateDomain(node: DomainNode, record: PlainRecord, context: EvaluateContext = {}): boolean {
  switch (node.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return node.nodes.every((one) => evaluateDomain(one, record, context));
    case 'or':
      return node.nodes.some((one) => evaluateDomain(one, record, context));
    case 'not':
      return !evaluateDomain(node.node, record, context);
    case 'condition':
      return holdsSomewhere(node, 0, record, context) !== isNegativeOperator(node.operator);
  }
}

/** Follows the path from a step on; through an x2many, one matching line is enough. */
function holdsSomewhere(
  condition: ConditionNode,
  step: number,
  record: PlainRecord,
  context: EvaluateContext,
): boolean {
  const name = condition.path[step] as string;
  const value = Object.hasOwn(record, name) ? (record[name] ?? null) : null;
  if (step === condition.path.length - 1) return valueHolds(condition, value, context);
  const reached = Array.isArray(value) ? value : [value];
  return reached.some((next: unknown) => {
    if (typeof next === 'number') return isIdPath(condition, step) && valueHolds(condition, next, context);
    return (
      typeof next === 'object' && next !== null && holdsSomewhere(condition, step + 1, next as PlainRecord, context)
    );
  });
}

/** For a bare id, only the id is known. */
function isIdPath(condition: ConditionNode, step: number): boolean {
  return step === condition.path.length - 2 && condition.path.at(-1) === 'id';
}

function valueHolds(condition: ConditionNode, value: unknown, context: EvaluateContext): boolean {
  const typeName = context.typeOf?.(condition.path);
  const operand = fillValue(condition, context.tokens, () => isFreeText(typeName));
  const type =
    typeName === undefined
      ? inferType(value, condition.operator, operand)
      : valueTypeOf(typeName, condition.path.at(-1) as string);
  if (type === null) return false;
  const criterion = toCriterion({
    type,
    operator: positiveOperator(condition.operator),
    value: operand,
    tz: context.tz ?? 'UTC',
    field: condition.path.join('.'),
  });
  if (value === null || type.isEmpty(value)) return 'matchesEmpty' in criterion && criterion.matchesEmpty;
  const ancestors = ancestorsFor(condition, criterion, context);
  const candidates = type.isRelation && Array.isArray(value) ? value : [value];
  return matchesAnything(criterion) || candidates.some((one) => fits(criterion, type, one, ancestors));
}

function isFreeText(type: string | undefined): boolean {
  return type !== undefined && fieldType(type).isText;
}

function matchesAnything(criterion: Criterion): boolean {
  return criterion.kind === 'pattern' && criterion.matchesEmpty;
}

function ancestorsFor(condition: ConditionNode, criterion: Criterion, context: EvaluateContext): Ancestors {
  const { ancestors } = context;
  if (ancestors !== undefined) return (id) => ancestors(id, condition.path);
  if (criterion.kind === 'hierarchy') throw invalidArgs(`"${condition.operator}" can only be asked of the server.`);
  return () => [];
}

/**
 * The type of a value, inferred from the value and its operand. Null: the two cannot be compared, because the name of a bare record
 * id is not loaded.
 */
function inferType(value: unknown, operator: DomainOperator, operand: unknown): ValueType | null {
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

/** An empty value equals no other value, whatever its type; the operand decides what is well formed. */
function inferEmptyType(sample: unknown): ValueType {
  if (typeof sample === 'number' || sample === undefined) return valueTypes.id;
  return typeof sample === 'boolean' ? valueTypes.boolean : valueTypes.text;
}

/** Ids of the records above a record, nearest first; only child_of and parent_of need it. */
type Ancestors = (id: number) => readonly number[];

/** Whether a value (for a relation: one record of it) matches. The caller decides about an empty field. */
function fits(criterion: Criterion, type: ValueType, value: unknown, ancestors: Ancestors): boolean {
  if (type.isRelation) return recordFits(criterion, value, ancestors);
  switch (criterion.kind) {
    case 'members':
      return criterion.values.some((member) => type.compare(value, member) === 0);
    case 'order':
      return holds(criterion.operator, type.compare(value, criterion.value));
    case 'pattern': {
      const text = type.isNumber ? canonicalDecimal(value) : value;
      return typeof text === 'string' && patternFits(criterion, text);
    }
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
