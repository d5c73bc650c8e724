import { invalidArgs } from '../errors.ts';
import { valueTypeOf } from '../field-types.ts';
import { type Criterion, toCriterion } from './criterion.ts';
import { type Ancestors, fits } from './evaluate-criterion.ts';
import { type DomainTokens, fillValue } from './fill-tokens.ts';
import { inferType } from './infer-type.ts';
import type { ConditionNode } from './map-conditions.ts';
import { isNegativeOperator, positiveOperator } from './operators.ts';
import type { DomainNode } from './tree.ts';

export interface EvaluateContext {
  readonly tokens?: DomainTokens;
  /** The user's time zone; UTC when absent. */
  readonly tz?: string;
  /** The field type at a path (`char`, `monetary`, …); where unknown it is told from the value. */
  typeOf?(path: readonly string[]): string | undefined;
  /** Ids above a record of the model at the end of the path; without it child_of and parent_of are refused. */
  ancestors?(id: number, path: readonly string[]): readonly number[];
}

type PlainRecord = Readonly<Record<string, unknown>>;

/**
 * Whether a record satisfies a domain, with the meaning that the same domain has in SQL. Many2ones are records, ids or null,
 * x2many arrays of records or ids; a path through what is not loaded is a condition through nothing, which is false.
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

/** Follows the path from a step on; through an x2many one line that fits is enough. */
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

/** A bare id knows nothing of its record but the id. */
function isIdPath(condition: ConditionNode, step: number): boolean {
  return step === condition.path.length - 2 && condition.path.at(-1) === 'id';
}

function valueHolds(condition: ConditionNode, value: unknown, context: EvaluateContext): boolean {
  const operand = fillValue(condition, context.tokens);
  const fieldType = context.typeOf?.(condition.path);
  const type =
    fieldType === undefined
      ? inferType(value, condition.operator, operand)
      : valueTypeOf(fieldType, condition.path.at(-1) as string);
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

function matchesAnything(criterion: Criterion): boolean {
  return criterion.kind === 'pattern' && criterion.matchesEmpty;
}

function ancestorsFor(condition: ConditionNode, criterion: Criterion, context: EvaluateContext): Ancestors {
  const { ancestors } = context;
  if (ancestors !== undefined) return (id) => ancestors(id, condition.path);
  if (criterion.kind === 'hierarchy') throw invalidArgs(`"${condition.operator}" can only be asked of the server.`);
  return () => [];
}
