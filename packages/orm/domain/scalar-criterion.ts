import { type Sql, sql } from '@kontor/database';
import type { Criterion, ValueType } from '@kontor/protocol';
import { allOf, anyOf, truth } from './combine.ts';

type ScalarCriterion = Exclude<Criterion, { kind: 'hierarchy' }>;
type Members = Extract<Criterion, { kind: 'members' }>;
type Order = Extract<Criterion, { kind: 'order' }>;

const casts: Readonly<Record<string, readonly [one: Sql, many: Sql]>> = {
  text: [sql`::text`, sql`::text[]`],
  id: [sql`::int4`, sql`::int4[]`],
  integer: [sql`::int4`, sql`::int4[]`],
  float: [sql`::float8`, sql`::float8[]`],
  decimal: [sql`::numeric`, sql`::numeric[]`],
  date: [sql`::date`, sql`::date[]`],
  datetime: [sql`::timestamptz`, sql`::timestamptz[]`],
};

/**
 * A criterion on one column. True where it holds (negated: where it does not), false or null elsewhere: the positive forms stay
 * as plain as indexes need them, and each negative form names the empty values it must match.
 */
export function scalarSql(column: Sql, type: ValueType, criterion: ScalarCriterion, isNegated: boolean): Sql {
  if (criterion.kind === 'members') {
    return type.isBoolean ? booleanSql(column, criterion, isNegated) : membersSql(column, type, criterion, isNegated);
  }
  if (criterion.kind === 'order') return orderSql(column, type, criterion, isNegated);
  if (criterion.matchesEmpty) return truth(!isNegated);
  const { pattern, ignoresCase } = criterion;
  if (isNegated) {
    const differs = ignoresCase ? sql`${column} not ilike ${pattern}::text` : sql`${column} not like ${pattern}::text`;
    return sql`(${differs} or ${column} is null)`;
  }
  return ignoresCase ? sql`${column} ilike ${pattern}::text` : sql`${column} like ${pattern}::text`;
}

function membersSql(column: Sql, type: ValueType, { values, matchesEmpty }: Members, isNegated: boolean): Sql {
  const possible = type.isWhole ? values.filter(isInt4) : values;
  const { isText } = type;
  if (!isNegated) {
    const parts = possible.length > 0 ? [equals(column, type, possible)] : [];
    if (matchesEmpty) parts.push(sql`${column} is null`);
    if (matchesEmpty && isText) parts.push(sql`${column} = ''`);
    return anyOf(parts);
  }
  const differs = possible.length > 0 ? differsFrom(column, type, possible) : null;
  if (!matchesEmpty) return differs === null ? truth(true) : sql`(${differs} or ${column} is null)`;
  if (isText) return allOf([differs, sql`${column} <> ''`]);
  return differs ?? sql`${column} is not null`;
}

function equals(column: Sql, type: ValueType, values: readonly unknown[]): Sql {
  const [one, many] = castOf(type);
  return values.length === 1 ? sql`${column} = ${values[0]}${one}` : sql`${column} = any(${values}${many})`;
}

function differsFrom(column: Sql, type: ValueType, values: readonly unknown[]): Sql {
  const [one, many] = castOf(type);
  return values.length === 1 ? sql`${column} <> ${values[0]}${one}` : sql`${column} <> all(${values}${many})`;
}

/** `false` comes with `matchesEmpty`, so that three kinds of question are left. */
function booleanSql(column: Sql, { values, matchesEmpty }: Members, isNegated: boolean): Sql {
  const [isTrue, isFalse] = [values.includes(true), values.includes(false)];
  if (isTrue && isFalse) return truth(!isNegated);
  if (isFalse) return isNegated ? sql`${column} is true` : sql`${column} is not true`;
  if (isTrue && matchesEmpty) return isNegated ? sql`${column} is false` : sql`${column} is not false`;
  if (isTrue) return isNegated ? sql`${column} is not true` : sql`${column} is true`;
  if (matchesEmpty) return isNegated ? sql`${column} is not null` : sql`${column} is null`;
  return truth(isNegated);
}

const comparisons = { '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const;
const opposites = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

function orderSql(column: Sql, type: ValueType, { operator, value }: Order, isNegated: boolean): Sql {
  const comparison = comparisons[isNegated ? opposites[operator] : operator];
  if (type.isText) {
    const compared = sql`${column} collate "C" ${comparison} ${value}::text`;
    if (isNegated) return sql`(${compared} or ${column} is null or ${column} = '')`;
    return sql`(${compared} and ${column} <> '')`;
  }
  const compared = type.isWhole
    ? sql`${column} ${comparison} ${wholeBound(operator, value as number)}::int8`
    : sql`${column} ${comparison} ${value}${castOf(type)[0]}`;
  return isNegated ? sql`(${compared} or ${column} is null)` : compared;
}

/** Whole numbers above 1.5 are those above 1; beyond what a number holds exactly no column value lies. */
function wholeBound(operator: Order['operator'], value: number): string {
  const rounded = operator === '>' || operator === '<=' ? Math.floor(value) : Math.ceil(value);
  return String(Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, rounded)));
}

function isInt4(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= -(2 ** 31) && (value as number) < 2 ** 31;
}

function castOf(type: ValueType): readonly [one: Sql, many: Sql] {
  const cast = casts[type.name];
  if (cast === undefined) throw new Error(`Values of type ${type.name} have no comparison.`);
  return cast;
}
