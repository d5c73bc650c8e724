import { daysBetween, didYouMean, type FieldType, fieldType, type Text, text, typesThat } from '@kontor/protocol';
import { Decimal, decimalText } from '../fields/decimal.ts';
import type { FieldSpec } from '../fields/spec.ts';
import type { LoadedRecord } from '../model/behaviour.ts';
import { compileCall, expectType, textOf, typeWords, wrongType } from './formula-functions.ts';
import {
  compare,
  divide,
  type FormulaType,
  type FormulaValue,
  isEmpty,
  later,
  maxText,
  type Run,
  remainder,
  type Typed,
} from './formula-values.ts';
import { type Expression, FormulaError, parseFormula } from './parse-formula.ts';

/** What a formula can refer to: the fields of a model, by name. */
export interface FormulaScope {
  fieldsOf(model: string): ReadonlyMap<string, FieldSpec> | undefined;
  readonly model: string;
}

export interface Formula {
  readonly type: FormulaType;
  /** The paths that it reads. */
  readonly depends: readonly string[];
  /** Whether its value changes with the day. */
  readonly isDaily: boolean;
  /** The value as its field stores it. */
  readonly run: Run;
}

/** The types of fields that a formula can fill. */
export const formulaFieldTypes: readonly FieldType[] = typesThat(
  ({ isShort, isLong, isNumber, isBoolean, isDate }) => isShort || isLong || isNumber || isBoolean || isDate,
);

/** How many relations a path can go through. */
const maxSteps = 2;

/** A formula for a field. Throws FormulaError with the place of the first mistake. */
export function compileFormula(source: string, spec: FieldSpec, scope: FormulaScope): Formula {
  const expression = parseFormula(source);
  const depends = new Set<string>();
  let isDaily = false;
  const compile = (at: Expression): Typed => {
    switch (at.kind) {
      case 'number': {
        const value = new Decimal(at.value);
        return { type: 'number', isWhole: !at.value.includes('.'), run: () => value };
      }
      case 'text':
        return { type: 'string', run: () => at.value };
      case 'boolean':
        return { type: 'truth', run: () => at.value };
      case 'empty':
        return { type: 'empty', run: () => null };
      case 'path':
        depends.add(at.path.join('.'));
        return compilePath(at, scope);
      case 'unary':
        return compileUnary(at, compile(at.of));
      case 'binary':
        return compileBinary(at, compile(at.left), compile(at.right));
      case 'call':
        isDaily ||= at.name === 'today';
        return compileCall(at, at.args.map(compile));
    }
  };
  const typed = compile(expression);
  const problem = misfit(typed, spec);
  if (problem) throw new FormulaError(problem, expression);
  if (depends.size === 0) throw new FormulaError(text('A formula uses at least one field.'), expression);
  const store = storedAs(spec);
  return { type: typed.type, depends: [...depends], isDaily, run: (...given) => store(typed.run(...given)) };
}

function compilePath(at: Expression & { readonly kind: 'path' }, scope: FormulaScope): Typed {
  let model: string | undefined = scope.model;
  let spec: FieldSpec | undefined;
  let from = at.from;
  for (const [step, name] of at.path.entries()) {
    const place = { from, to: from + name.length };
    const fields: ReadonlyMap<string, FieldSpec> | undefined = model === undefined ? undefined : scope.fieldsOf(model);
    if (!fields)
      throw new FormulaError(
        text('"{name}" is not a link, so nothing can follow it.', { name: at.path[step - 1] ?? '' }),
        place,
      );
    spec = fields.get(name);
    if (!spec) {
      const hint = didYouMean(name, fields.keys());
      throw new FormulaError(text('There is no field "{name}".{hint}', { name: name.slice(0, 60), hint }), place);
    }
    if (spec.secret) throw new FormulaError(text('"{name}" is secret.', { name }), place);
    if (step > maxSteps)
      throw new FormulaError(text('A path goes through at most {max} links.', { max: maxSteps }), place);
    model = fieldType(spec.type).isToOne ? spec.relation : undefined;
    from += name.length + 1;
  }
  const type = typeOf(spec as FieldSpec);
  if (!type) throw new FormulaError(text('A formula cannot use "{name}".', { name: at.path.join('.') }), at);
  const { type: kind, selection } = spec as FieldSpec;
  return {
    type,
    ...(fieldType(kind).isWhole ? { isWhole: true } : {}),
    ...(selection ? { choices: Object.keys(selection) } : {}),
    run: (record) => loadedValue(record, at.path, type),
  };
}

function typeOf({ type }: FieldSpec): FormulaType | null {
  const kind = fieldType(type);
  if (kind.isNumber) return 'number';
  if (kind.isBoolean) return 'truth';
  if (kind.isDate) return kind.isInstant ? 'moment' : 'day';
  if (kind.isToOne) return 'record';
  return kind.isShort || kind.isLong || kind.isChoice ? 'string' : null;
}

function loadedValue(record: LoadedRecord, path: readonly string[], type: FormulaType): FormulaValue {
  let value: unknown = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as LoadedRecord)[name];
  }
  if (value === null || value === undefined) return type === 'truth' ? false : null;
  if (type === 'number') return value instanceof Decimal ? value : new Decimal(String(value));
  if (type === 'record') return typeof value === 'object' ? ((value as LoadedRecord).id ?? null) : (value as number);
  return value as FormulaValue;
}

function compileUnary(at: Expression & { readonly kind: 'unary' }, of: Typed): Typed {
  if (at.operator === 'not') {
    expectType(at.of, of, 'truth');
    return { type: 'truth', run: (...given) => of.run(...given) !== true };
  }
  expectType(at.of, of, 'number');
  return {
    ...{ type: 'number', ...(of.isWhole ? { isWhole: true } : {}) },
    run: (...given) => (of.run(...given) as Decimal | null)?.times(-1) ?? null,
  };
}

type BinaryAt = Expression & { readonly kind: 'binary' };

function compileBinary(at: BinaryAt, left: Typed, right: Typed): Typed {
  const { operator } = at;
  if (operator === 'and' || operator === 'or') {
    expectType(at.left, left, 'truth');
    expectType(at.right, right, 'truth');
    const isAnd = operator === 'and';
    return {
      type: 'truth',
      run: (...given) => ((left.run(...given) === true) === isAnd ? right.run(...given) === true : !isAnd),
    };
  }
  return ['=', '!=', '<', '<=', '>', '>='].includes(operator)
    ? compileComparison(at, left, right)
    : compileArithmetic(at, left, right);
}

function compileComparison(at: BinaryAt, left: Typed, right: Typed): Typed {
  const type = left.type === 'empty' ? right.type : left.type;
  expectType(at.right, right, type);
  const { operator } = at;
  const isEquality = operator === '=' || operator === '!=';
  if (!isEquality && (type === 'truth' || type === 'record')) throw wrongType(at.left, type, 'number');
  checkChoice(at.right, left.choices);
  checkChoice(at.left, right.choices);
  const holds: Readonly<Record<string, (order: number) => boolean>> = {
    '<': (order) => order < 0,
    '<=': (order) => order <= 0,
    '>': (order) => order > 0,
    '>=': (order) => order >= 0,
  };
  return {
    type: 'truth',
    run: (...given) => {
      const [one, other] = [left.run(...given), right.run(...given)];
      const isOneEmpty = isEmpty(one) || isEmpty(other);
      if (!isEquality) return !isOneEmpty && holds[operator]?.(compare(type, one, other)) === true;
      const isSame = isOneEmpty ? isEmpty(one) && isEmpty(other) : compare(type, one, other) === 0;
      return isSame === (operator === '=');
    },
  };
}

/** A text that is compared with a selection is one of its values. */
function checkChoice(at: Expression, choices: readonly string[] | undefined): void {
  if (!choices || at.kind !== 'text' || choices.includes(at.value)) return;
  const hint = didYouMean(at.value, choices);
  throw new FormulaError(text('There is no choice "{name}".{hint}', { name: at.value.slice(0, 60), hint }), at);
}

function compileArithmetic(at: BinaryAt, left: Typed, right: Typed): Typed {
  const { operator } = at;
  const both = (type: FormulaType) => left.type === type && right.type === type;
  if (operator === '+' && (left.type === 'string' || right.type === 'string')) {
    expectType(at.left, left, 'string');
    expectType(at.right, right, 'string');
    return {
      type: 'string',
      run: (...given) => (textOf(left.run(...given)) + textOf(right.run(...given))).slice(0, maxText),
    };
  }
  if (operator === '-' && both('day'))
    return {
      type: 'number',
      isWhole: true,
      run: onBoth(left, right, (to: string, from: string) => new Decimal(daysBetween(from, to))),
    };
  if ((operator === '+' || operator === '-') && left.type === 'day') {
    expectType(at.right, right, 'number');
    const run = (day: string, days: Decimal) =>
      later('days', day, (operator === '+' ? days : days.times(-1)).round(0, 0));
    return { type: 'day', run: onBoth(left, right, run) };
  }
  expectType(at.left, left, 'number');
  expectType(at.right, right, 'number');
  const run: Readonly<Record<string, (one: Decimal, other: Decimal) => Decimal | null>> = {
    '+': (one, other) => one.plus(other),
    '-': (one, other) => one.minus(other),
    '*': (one, other) => one.times(other),
    '/': divide,
    '%': remainder,
  };
  const isWhole = operator !== '/' && left.isWhole && right.isWhole;
  return {
    ...{ type: 'number', ...(isWhole ? { isWhole } : {}) },
    run: onBoth(left, right, run[operator] as (one: Decimal, other: Decimal) => Decimal | null),
  };
}

/** Empty if one of them is. */
function onBoth<One, Other>(left: Typed, right: Typed, run: (one: One, other: Other) => FormulaValue): Run {
  return (...given) => {
    const [one, other] = [left.run(...given), right.run(...given)];
    return one === null || other === null ? null : run(one as One, other as Other);
  };
}

/** Why the value does not fit the field, or null. */
function misfit({ type, isWhole }: Typed, { type: kind }: FieldSpec): Text | null {
  const wanted = formulaFieldTypes.includes(kind) ? typeOf({ type: kind }) : null;
  if (!wanted) return text('A field of this type cannot have a formula.');
  if (type !== wanted && type !== 'empty')
    return text('The formula gives {type}, and the field is {wanted}.', {
      type: typeWords[type],
      wanted: typeWords[wanted],
    });
  return fieldType(kind).isWhole && !isWhole
    ? text('The formula may give a fraction, and the field is a whole number. Use round().')
    : null;
}

const maxInteger = 2_147_483_647;
/** As many digits as a person can mean; more is a mistake of the formula, not of the record. */
const maxDigits = 30;

/** The value as the field takes it; a number that no field can hold is empty. */
function storedAs({ type, size = maxText, precision }: FieldSpec): (value: FormulaValue) => FormulaValue {
  const { isBoolean, isText, isWhole, isExact } = fieldType(type);
  if (isBoolean) return (value) => value === true;
  if (isText) return (value) => textOf(value).slice(0, size) || null;
  const digits = precision ? precision[0] - precision[1] : maxDigits;
  return (value) => {
    if (!(value instanceof Decimal)) return value;
    if (value.e >= digits) return null;
    if (isWhole) return value.abs().gt(maxInteger) ? null : value.toNumber();
    return isExact ? value.round(precision?.[1] ?? 20) : Number(decimalText(value));
  };
}
