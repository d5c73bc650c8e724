import type { Field, Model } from '@kontor/orm';
import {
  type ConditionNode,
  conditionsIn,
  type DomainNode,
  type DomainTokens,
  didYouMean,
  fillValue,
  KontorError,
  positiveOperator,
  toCriterion,
  valueTypeOf,
} from '@kontor/protocol';
import { isSearchable } from '../field-traits.ts';
import { fieldAtPath, problem, type Scope } from './scope.ts';

const anyone: DomainTokens = {
  uid: 1,
  companyId: 1,
  companyIds: [1],
  today: '2000-01-01',
  now: '2000-01-01T00:00:00Z',
};

/** Holds a domain against a model: every path leads to a field, every operator and value fits it. */
export function checkDomain(scope: Scope, attribute: string, domain: DomainNode, model: Model): void {
  for (const condition of conditionsIn(domain)) {
    const field = fieldAtPath(scope, attribute, condition.path, { throughLines: true, model });
    if (!isSearchable(field)) {
      throw problem(scope, attribute, `${field.model}.${field.name} is computed and cannot be searched for.`);
    }
    checkOperand(scope, attribute, condition, field);
  }
}

/** A condition is evaluated on the record on screen, which has its many2ones loaded but not their lines. */
export function checkCondition(scope: Scope, attribute: string, domain: DomainNode): void {
  for (const condition of conditionsIn(domain)) {
    checkOperand(scope, attribute, condition, fieldAtPath(scope, attribute, condition.path));
  }
}

function checkOperand(scope: Scope, attribute: string, condition: ConditionNode, field: Field): void {
  checkSelection(scope, attribute, condition, field);
  const name = condition.path.join('.');
  try {
    toCriterion({
      type: valueTypeOf(field.spec.type, field.name),
      operator: positiveOperator(condition.operator),
      value: fillValue(condition, anyone),
      tz: 'UTC',
      field: name,
    });
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    throw problem(scope, attribute, `"${attribute}" cannot be asked. ${error.message}`);
  }
}

/** A value that the selection does not have would never match, and nobody would notice. */
function checkSelection(scope: Scope, attribute: string, condition: ConditionNode, { selection }: Field): void {
  if (!selection || !['=', '!=', 'in', 'not in'].includes(condition.operator)) return;
  const values = Array.isArray(condition.value) ? condition.value : [condition.value];
  for (const value of values) {
    if (typeof value !== 'string' || value === '' || selection.has(value)) continue;
    const path = condition.path.join('.');
    const hint = didYouMean(value, selection.keys()) || `It has ${[...selection.keys()].join(', ')}.`;
    throw problem(scope, attribute, `"${path}" has no value "${value}".`, hint);
  }
}
