import { didYouMean, type Text, text, weekdayOf } from '@kontor/protocol';
import { Decimal, decimalText } from '../fields/decimal.ts';
import {
  compare,
  type FormulaType,
  type FormulaValue,
  isEmpty,
  later,
  maxText,
  type Run,
  type Typed,
} from './formula-values.ts';
import { type Expression, FormulaError } from './parse-formula.ts';

type Call = Expression & { readonly kind: 'call' };

/** Text, number, … as people read it in messages. */
export const typeWords: Readonly<Record<FormulaType, Text>> = {
  number: text('a number'),
  string: text('a text'),
  truth: text('yes or no'),
  day: text('a date'),
  moment: text('a time'),
  record: text('a link'),
  empty: text('empty'),
};

interface FormulaFunction {
  /** The types of its arguments; the last repeats if `many`. */
  readonly takes: readonly FormulaType[];
  /** How many of the last ones may be left out. */
  readonly optional?: number;
  readonly gives: FormulaType;
  readonly isWhole?: boolean;
  /** Called with values that are not empty; an empty one gives empty. */
  run(...args: never[]): FormulaValue;
}

const whole = (value: string | number): Decimal => new Decimal(value);

const functions: Readonly<Record<string, FormulaFunction>> = {
  round: {
    ...{ takes: ['number', 'number'], optional: 1, gives: 'number', isWhole: true },
    run: (value: Decimal, digits?: Decimal) => value.round(digits ? Math.min(20, Math.max(0, digits.toNumber())) : 0),
  },
  floor: {
    ...{ takes: ['number'], gives: 'number', isWhole: true },
    run: (value: Decimal) => (value.gte(0) ? value.round(0, 0) : value.round(0, 3)),
  },
  ceil: {
    ...{ takes: ['number'], gives: 'number', isWhole: true },
    run: (value: Decimal) => (value.gte(0) ? value.round(0, 3) : value.round(0, 0)),
  },
  abs: { takes: ['number'], gives: 'number', run: (value: Decimal) => value.abs() },
  upper: { takes: ['string'], gives: 'string', run: (value: string) => value.toUpperCase() },
  lower: { takes: ['string'], gives: 'string', run: (value: string) => value.toLowerCase() },
  trim: { takes: ['string'], gives: 'string', run: (value: string) => value.trim() },
  length: { takes: ['string'], gives: 'number', isWhole: true, run: (value: string) => whole([...value].length) },
  left: {
    ...{ takes: ['string', 'number'], gives: 'string' },
    run: (value: string, count: Decimal) => [...value].slice(0, letters(count)).join(''),
  },
  right: {
    ...{ takes: ['string', 'number'], gives: 'string' },
    run: (value: string, count: Decimal) => (letters(count) === 0 ? '' : [...value].slice(-letters(count)).join('')),
  },
  contains: {
    ...{ takes: ['string', 'string'], gives: 'truth' },
    run: (value: string, part: string) => value.toLowerCase().includes(part.toLowerCase()),
  },
  year: { takes: ['day'], gives: 'number', isWhole: true, run: (day: string) => whole(Number(day.slice(0, 4))) },
  month: { takes: ['day'], gives: 'number', isWhole: true, run: (day: string) => whole(Number(day.slice(5, 7))) },
  day: { takes: ['day'], gives: 'number', isWhole: true, run: (day: string) => whole(Number(day.slice(8, 10))) },
  weekday: {
    ...{ takes: ['day'], gives: 'number', isWhole: true },
    run: (day: string) => whole(weekdayOf(day) || 7),
  },
  addmonths: {
    takes: ['day', 'number'],
    gives: 'day',
    run: (day: string, months: Decimal) => later('months', day, months.round(0, 0)),
  },
  hours: {
    ...{ takes: ['moment', 'moment'], gives: 'number' },
    run: (from: string, to: string) => whole(Date.parse(to) - Date.parse(from)).div(3_600_000),
  },
};

function letters(count: Decimal): number {
  return Math.max(0, Math.min(maxText, Math.floor(count.toNumber())));
}

const special = ['if', 'first', 'isempty', 'min', 'max', 'text', 'today'];

/** Every function, for the editor and the documentation. */
export const formulaFunctions: readonly string[] = [...special, ...Object.keys(functions)].sort();

/** A call with checked arguments. */
export function compileCall(call: Call, args: readonly Typed[]): Typed {
  const { name } = call;
  if (special.includes(name)) return compileSpecial(call, args);
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!known) {
    const hint = didYouMean(name.toLowerCase(), formulaFunctions);
    throw new FormulaError(text('There is no function "{name}".{hint}', { name: name.slice(0, 40), hint }), call);
  }
  const { takes, optional = 0, gives, isWhole } = known;
  checkCount(call, takes.length - optional, takes.length);
  for (const [at, arg] of args.entries()) expectType(call.args[at] as Expression, arg, takes[at] as FormulaType);
  const run: Run = (record, context) => {
    const values = args.map((arg) => arg.run(record, context));
    return values.some(isEmpty) ? null : known.run(...(values as never[]));
  };
  return { type: gives, ...(isWhole && (name !== 'round' || args.length === 1) ? { isWhole } : {}), run };
}

// Over 60 lines: functions whose types depend on their arguments, one each.
function compileSpecial(call: Call, args: readonly Typed[]): Typed {
  const { name } = call;
  const [one, two, three] = args as readonly [Typed, Typed, Typed];
  switch (name) {
    case 'if': {
      checkCount(call, 3, 3);
      expectType(call.args[0] as Expression, one, 'truth');
      const shared = sharedType(call, [two, three], 1);
      return { ...shared, run: (...given) => (one.run(...given) === true ? two : three).run(...given) };
    }
    case 'first': {
      checkCount(call, 2, 10);
      const run: Run = (...given) => {
        for (const arg of args) {
          const value = arg.run(...given);
          if (!isEmpty(value)) return value;
        }
        return null;
      };
      return { ...sharedType(call, args), run };
    }
    case 'isempty':
      checkCount(call, 1, 1);
      return { type: 'truth', run: (...given) => isEmpty(one.run(...given)) };
    case 'text':
      checkCount(call, 1, 1);
      return { type: 'string', run: (...given) => textOf(one.run(...given)) };
    case 'today':
      checkCount(call, 0, 0);
      return { type: 'day', run: (_, { today }) => today };
    default: {
      checkCount(call, 2, 10);
      const shared = sharedType(call, args);
      if (!['number', 'day', 'moment'].includes(shared.type))
        throw wrongType(call.args[0] as Expression, one.type, 'number');
      const sign = name === 'min' ? 1 : -1;
      const run: Run = (...given) => {
        const values = args.map((arg) => arg.run(...given)).filter((value) => !isEmpty(value));
        return values.reduce<FormulaValue>(
          (best, value) => (best === null || compare(shared.type, value, best) * sign < 0 ? value : best),
          null,
        );
      };
      return { ...shared, run };
    }
  }
}

function checkCount(call: Call, least: number, most: number): void {
  const count = call.args.length;
  if (count >= least && count <= most) return;
  const wanted = least === most ? String(least) : `${least}–${most}`;
  throw new FormulaError(text('{name} takes {wanted} values, not {count}.', { name: call.name, wanted, count }), call);
}

/** The type of all arguments from one on. */
function sharedType(call: Call, args: readonly Typed[], offset = 0): Pick<Typed, 'type' | 'isWhole'> {
  const known = args.find(({ type }) => type !== 'empty');
  const type = known?.type ?? 'empty';
  for (const [at, arg] of args.entries()) expectType(call.args[at + offset] as Expression, arg, type);
  const isWhole = args.every((arg) => arg.type === 'empty' || arg.isWhole);
  return { type, ...(isWhole ? { isWhole } : {}) };
}

export function expectType(at: Expression, { type }: Typed, wanted: FormulaType): void {
  if (type !== wanted && type !== 'empty' && wanted !== 'empty') throw wrongType(at, type, wanted);
}

export function wrongType(at: Expression, type: FormulaType, wanted: FormulaType): FormulaError {
  return new FormulaError(
    text('This is {type}, and {wanted} is needed here.', {
      type: typeWords[type],
      wanted: typeWords[wanted],
    }),
    at,
  );
}

export function textOf(value: FormulaValue): string {
  if (value === null) return '';
  return (value instanceof Decimal ? decimalText(value) : String(value)).slice(0, maxText);
}
