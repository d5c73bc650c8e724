import { ident, join, type Sql, sql } from '@kontor/database';
import { type Criterion, invalidArgs, type ValueType, valueTypeOf, valueTypes } from '@kontor/protocol';
import type { Field, Model } from '../model/model.ts';
import { wordsColumn } from '../model/translated.ts';
import type { Compiler, FieldPlace } from './compiler.ts';
import { knownField, relatedModel } from './known-field.ts';

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
 * A criterion on one column. True if it holds (negated: if it does not), false or null otherwise: the positive forms stay as plain
 * as indexes need them, and each negative form names the empty values it must match.
 */
export function scalarSql(column: Sql, type: ValueType, criterion: ScalarCriterion, isNegated: boolean): Sql {
  if (criterion.kind === 'members') {
    return type.isBoolean ? booleanSql(column, criterion, isNegated) : membersSql(column, type, criterion, isNegated);
  }
  if (criterion.kind === 'order') return orderSql(column, type, criterion, isNegated);
  if (criterion.matchesEmpty) return truth(!isNegated);
  const { pattern, ignoresCase } = criterion;
  const text = type.isNumber ? digitsOf(column, type) : column;
  if (isNegated) {
    const differs = ignoresCase ? sql`${text} not ilike ${pattern}::text` : sql`${text} not like ${pattern}::text`;
    return sql`(${differs} or ${column} is null)`;
  }
  return ignoresCase ? sql`${text} ilike ${pattern}::text` : sql`${text} like ${pattern}::text`;
}

/**
 * A criterion on a field, which is not a relation. A shipped text is found by its words in any language: a filter that one person
 * saves must find the same for everybody.
 */
export function fieldSql(compiler: Compiler, place: FieldPlace, criterion: ScalarCriterion, isNegated: boolean): Sql {
  const { model, alias, field } = place;
  const type = valueTypeOf(field.spec.type, field.name);
  const shown = field.name === 'display_name' ? nameField(model) : field;
  const words = shown && !compiler.readsStored ? wordsColumn(shown) : null;
  if (!shown || words === null || shown.spec.meantFor || criterion.kind === 'order')
    return scalarSql(compiler.field(model, field, alias), type, criterion, isNegated);
  const stored = ident(alias, shown.column as string);
  const said = ident(compiler.alias());
  const isSaid = scalarSql(sql`${said}.value`, type, { ...criterion, matchesEmpty: false }, false);
  const holds = sql`(${scalarSql(stored, type, criterion, false)} or exists (select from jsonb_each_text(${ident(alias, words)} -> ${stored}) as ${said} where ${isSaid}))`;
  return isNegated ? sql`${holds} is not true` : holds;
}

/** The field that the display name consists of; null: several, or none of the model's own. */
function nameField({ displayName, fields }: Model): Field | null {
  const [part] = displayName;
  const [name, ...rest] = displayName.length === 1 && part && 'path' in part ? part.path : [];
  return (name !== undefined && rest.length === 0 && fields.get(name)) || null;
}

function nameSql(compiler: Compiler, model: Model, alias: string, criterion: ScalarCriterion): Sql {
  return fieldSql(compiler, { model, alias, field: knownField(model, 'display_name') }, criterion, false);
}

/** As `canonicalDecimal` writes them. Through text: a cast of a float to numeric rounds it to 15 digits. */
function digitsOf(column: Sql, { isWhole }: ValueType): Sql {
  return isWhole ? sql`${column}::text` : sql`trim_scale(${column}::text::numeric)::text`;
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

/** `false` comes with `matchesEmpty`, so three kinds of condition remain. */
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

/** Integers above 1.5 are those above 1. No column has values beyond the safe integers. */
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

/** An id is in the record's own column; the name and the position in a tree need the related record. */
export function many2oneSql(compiler: Compiler, place: FieldPlace, criterion: Criterion, isNegated: boolean): Sql {
  const id = compiler.field(place.model, place.field, place.alias);
  switch (criterion.kind) {
    case 'members': {
      const ids = { ...criterion, names: [] };
      if (criterion.names.length === 0) return scalarSql(id, valueTypes.id, ids, isNegated);
      const holds = anyOf([scalarSql(id, valueTypes.id, ids, false), named(compiler, place, criterion)]);
      return isNegated ? sql`${holds} is not true` : holds;
    }
    case 'hierarchy': {
      const target = relatedModel(compiler.env.registry, place.field);
      if (!compiler.appliesRules || compiler.visible(target, place.alias) === null) {
        const inside = hierarchySql(compiler, target, criterion, id);
        return isNegated ? sql`(${inside}) is not true` : inside;
      }
      return someRecord(compiler, place, criterion, isNegated);
    }
    default:
      return someRecord(compiler, place, criterion, isNegated);
  }
}

/** "Some line", and negated "no line"; empty means having no visible line. */
export function x2manySql(compiler: Compiler, place: FieldPlace, criterion: Criterion, isNegated: boolean): Sql {
  if (criterion.kind !== 'members') return someRecord(compiler, place, criterion, isNegated);
  const parts: Sql[] = [];
  if (criterion.values.length > 0) {
    const lines = compiler.reach(place, { idsOnly: true });
    parts.push(lines.exists(() => scalarSql(lines.id, valueTypes.id, { ...criterion, matchesEmpty: false }, false)));
  }
  if (criterion.names.length > 0) parts.push(named(compiler, place, criterion));
  if (criterion.matchesEmpty) parts.push(sql`not ${compiler.reach(place, { idsOnly: true }).exists()}`);
  const holds = anyOf(parts);
  return isNegated ? sql`not ${holds}` : holds;
}

function named(compiler: Compiler, place: FieldPlace, { names }: Members): Sql {
  const related = compiler.reach(place);
  const criterion = { kind: 'members', values: names, names: [], matchesEmpty: false } as const;
  return related.exists((alias) => nameSql(compiler, related.target, alias, criterion));
}

function someRecord(compiler: Compiler, place: FieldPlace, criterion: Criterion, isNegated: boolean): Sql {
  if (criterion.kind === 'pattern' && criterion.matchesEmpty) return truth(!isNegated);
  const related = compiler.reach(place);
  const exists = related.exists((alias) =>
    criterion.kind === 'hierarchy'
      ? hierarchySql(compiler, related.target, criterion, related.id)
      : nameSql(compiler, related.target, alias, criterion),
  );
  return isNegated ? sql`not ${exists}` : exists;
}

type Hierarchy = Extract<Criterion, { kind: 'hierarchy' }>;

/**
 * Whether an id is one of the given records, or below (or above) them. Follows `parent_id`; `union` drops rows that were already
 * found, so that a cycle in the data ends.
 */
export function hierarchySql(compiler: Compiler, model: Model, { direction, ids }: Hierarchy, id: Sql): Sql {
  const known = ids.filter((one) => one > 0 && one < 2 ** 31);
  return sql`${id} in (${treeSql(compiler, model, direction, (root) => sql`${root} = any(${known}::int4[])`)})`;
}

/** Selects the ids of the records of a tree from the roots on, which match a condition on their id. */
export function treeSql(
  compiler: Compiler,
  model: Model,
  direction: Hierarchy['direction'],
  isRoot: (id: Sql) => Sql,
): Sql {
  const table = ident(model.table);
  const parent = parentColumn(model);
  const [tree, row] = [compiler.alias(), compiler.alias()];
  const found = sql`${ident(row, 'id')}, ${ident(row, parent)}`;
  const step =
    direction === 'up'
      ? sql`${ident(row, 'id')} = ${ident(tree, 'parent')}`
      : sql`${ident(row, parent)} = ${ident(tree, 'id')}`;
  return sql`with recursive ${ident(tree)} ("id", "parent") as (select ${found} from ${table} as ${ident(row)} where ${isRoot(ident(row, 'id'))} union select ${found} from ${table} as ${ident(row)} join ${ident(tree)} on ${step}) select "id" from ${ident(tree)}`;
}

function parentColumn(model: Model): string {
  const parent = model.fields.get('parent_id');
  if (parent?.column && parent.spec.relation === model.name) return parent.column;
  throw invalidArgs(`${model.name} is not a tree: child_of and parent_of need a field parent_id that points at it.`, {
    field: 'parent_id',
  });
}

export function truth(holds: boolean): Sql {
  return holds ? sql`true` : sql`false`;
}

export function anyOf(parts: readonly Sql[]): Sql {
  if (parts.length === 0) return truth(false);
  return parts.length === 1 ? (parts[0] as Sql) : sql`(${join(parts, sql` or `)})`;
}

export function allOf(parts: readonly (Sql | null)[]): Sql {
  const present = parts.filter((part) => part !== null);
  if (present.length === 0) return truth(true);
  return present.length === 1 ? (present[0] as Sql) : sql`(${join(present, sql` and `)})`;
}
