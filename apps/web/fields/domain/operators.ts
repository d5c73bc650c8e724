import { type DomainOperator, fieldType } from '@kontor/protocol';

/** An operator as the editor offers it. */
export interface OperatorChoice {
  readonly key: string;
  /** English; translated where it is shown. */
  readonly words: string;
  readonly operator: DomainOperator;
  /** False: there is no value to enter (`is set`). */
  readonly hasValue: boolean;
  /** The fixed value of an operator without an input. */
  readonly value?: unknown;
  /** Takes several values. */
  readonly isMany?: boolean;
}

const is: OperatorChoice = { key: 'is', words: 'is', operator: '=', hasValue: true };
const isNot: OperatorChoice = { key: 'is_not', words: 'is not', operator: '!=', hasValue: true };
const set: OperatorChoice = { key: 'set', words: 'is filled in', operator: '!=', hasValue: false, value: null };
const unset: OperatorChoice = { key: 'unset', words: 'is empty', operator: '=', hasValue: false, value: null };
const has: OperatorChoice = { key: 'has', words: 'contains', operator: 'ilike', hasValue: true };
const hasNot: OperatorChoice = { key: 'has_not', words: 'does not contain', operator: 'not ilike', hasValue: true };
const anyOf: OperatorChoice = { key: 'any', words: 'is any of', operator: 'in', hasValue: true, isMany: true };
const noneOf: OperatorChoice = { key: 'none', words: 'is none of', operator: 'not in', hasValue: true, isMany: true };
const below: OperatorChoice = { key: 'below', words: 'is or belongs to', operator: 'child_of', hasValue: true };
const yes: OperatorChoice = { key: 'yes', words: 'is yes', operator: '=', hasValue: false, value: true };
const no: OperatorChoice = { key: 'no', words: 'is no', operator: '=', hasValue: false, value: false };

const numbers: readonly OperatorChoice[] = [
  is,
  isNot,
  { key: 'more', words: 'is more than', operator: '>', hasValue: true },
  { key: 'least', words: 'is at least', operator: '>=', hasValue: true },
  { key: 'less', words: 'is less than', operator: '<', hasValue: true },
  { key: 'most', words: 'is at most', operator: '<=', hasValue: true },
  unset,
  set,
];
const dates: readonly OperatorChoice[] = [
  is,
  { key: 'after', words: 'is after', operator: '>', hasValue: true },
  { key: 'from', words: 'is on or after', operator: '>=', hasValue: true },
  { key: 'before', words: 'is before', operator: '<', hasValue: true },
  { key: 'until', words: 'is on or before', operator: '<=', hasValue: true },
  unset,
  set,
];
const texts: readonly OperatorChoice[] = [has, hasNot, is, isNot, unset, set];
const many: readonly OperatorChoice[] = [anyOf, noneOf, has, unset, set];

const moments = dates.filter((one) => one !== is);
const yesOrNo = [yes, no];
const choices = [anyOf, noneOf, unset, set];
const records = [anyOf, noneOf, below, has, unset, set];

/** The operators for a field type; empty if the editor does not support it. */
export function operatorChoices(name: string): readonly OperatorChoice[] {
  const type = fieldType(name);
  if (type.isText) return texts;
  if (type.isNumber) return numbers;
  if (type.isDate) return type.isInstant ? moments : dates;
  if (type.isBoolean) return yesOrNo;
  if (type.isChoice) return choices;
  if (type.isList) return many;
  return type.isToOne ? records : [];
}

/** The operator of a condition, if the editor knows it. */
export function choiceOf(type: string, operator: DomainOperator, value: unknown): OperatorChoice | undefined {
  const known = operatorChoices(type);
  const fixed = known.find((one) => !one.hasValue && one.operator === operator && one.value === value);
  if (fixed) return fixed;
  if (value === null || value === undefined) return undefined;
  const direct = known.find(
    (one) => one.hasValue && one.operator === operator && (one.isMany === true) === Array.isArray(value),
  );
  // A single value is shown as a list of one.
  const single = { '=': 'in', '!=': 'not in' }[operator as string];
  return direct ?? known.find((one) => one.isMany === true && one.operator === single && !Array.isArray(value));
}
