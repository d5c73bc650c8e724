import { and, empty, ident, join, literal, type Sql, sql } from '@kontor/database';
import { type AnyDomain, accessDenied, domainTree, invalidArgs } from '@kontor/protocol';
import { checkFieldRead } from '../access/field-access.ts';
import { checkModelAccess, mayAccessModel } from '../access/model-access.ts';
import { checkCovered } from '../access/scope.ts';
import { createCompiler } from '../domain/compile-domain.ts';
import type { Compiler } from '../domain/compiler.ts';
import { knownField } from '../domain/known-field.ts';
import type { ComputeByValue } from '../model/behaviour.ts';
import type { Env, Field, Model } from '../model/model.ts';

/** One statement while it is planned: its columns, and one LEFT JOIN per many2one prefix that any path goes through. */
export interface Select {
  readonly env: Env;
  readonly model: Model;
  readonly alias: string;
  readonly compiler: Compiler;
  readonly columns: Sql[];
  readonly joins: Map<string, Stop>;
  readonly joinClauses: Sql[];
  readonly indexes: Map<string, number>;
}

/** Where a path has come to: the table alias that holds the record, and what the caller may see of it. */
export interface Stop {
  readonly alias: string;
  readonly model: Model;
  /** The many2ones gone through so far, dotted, with a dot at the end; empty at the root. */
  readonly prefix: string;
  /** False: the caller may not read the model at all, and only its records' ids show. */
  readonly isReadable: boolean;
}

export function startSelect(env: Env, model: Model, alias = 't'): Select {
  const compiler = createCompiler(env, alias);
  const select: Select = {
    env,
    model,
    alias,
    compiler,
    columns: [],
    joins: new Map(),
    joinClauses: [],
    indexes: new Map(),
  };
  addColumn(select, `${alias}.id`, sql`${ident(alias, 'id')}`);
  return select;
}

export function rootOf(select: Select): Stop {
  return { alias: select.alias, model: select.model, prefix: '', isReadable: true };
}

export function addColumn(select: Select, key: string, expression: Sql): number {
  const known = select.indexes.get(key);
  if (known !== undefined) return known;
  select.columns.push(expression);
  select.indexes.set(key, select.columns.length - 1);
  return select.columns.length - 1;
}

export function idColumn(select: Select, stop: Stop): number {
  return addColumn(select, `${stop.alias}.id`, sql`${ident(stop.alias, 'id')}`);
}

/** The column of a field at a stop. Names of records in a model that the caller may not read are null, as if hidden. */
export function fieldColumn(select: Select, stop: Stop, field: Field): number {
  const key = `${stop.alias}.${field.name}`;
  const known = select.indexes.get(key);
  if (known !== undefined) return known;
  checkReachable(stop, field);
  if (!stop.isReadable) return addColumn(select, key, sql`null::text`);
  return addColumn(select, key, fieldAt(select, stop, field));
}

/** A field's value at a stop; null where the join found nothing, which names, sums and booleans would hide. */
export function fieldAt(select: Select, stop: Stop, field: Field, compiler = select.compiler): Sql {
  const value = compiler.field(stop.model, field, stop.alias);
  const isBoolean = field.kind.isBoolean;
  if (stop.prefix === '' || (field.column !== null && !isBoolean)) return value;
  const found = isBoolean ? sql`coalesce(${value}, false)` : value;
  return sql`case when ${ident(stop.alias, 'id')} is not null then ${found} end`;
}

/** Of a model that the caller may not read at all, only names may be asked for. */
export function checkReachable(stop: Stop, field: Field): void {
  if (stop.isReadable || field.name === 'display_name') return;
  throw accessDenied(stop.model.name, 'read', 'model', { field: `${stop.prefix}${field.name}` });
}

/**
 * Goes through a many2one. The rules of the related model are part of the join condition, so that a hidden record gives
 * null for everything but its id, which stays in the column of the record that points at it.
 */
export function joinRelation(select: Select, stop: Stop, field: Field): Stop {
  const prefix = `${stop.prefix}${field.name}.`;
  const known = select.joins.get(prefix);
  if (known) return known;
  checkReachable(stop, field);
  const model = select.env.registry.model(field.spec.relation as string);
  const alias = `${select.alias}_j${select.joins.size + 1}`;
  const next: Stop = { alias, model, prefix, isReadable: mayAccessModel(select.env, model, 'read') };
  if (next.isReadable) {
    const link = select.compiler.field(stop.model, field, stop.alias);
    const rule = select.compiler.rules(model, 'read', alias);
    const visible = rule ? sql` and ${rule}` : sql``;
    select.joinClauses.push(
      sql` left join ${ident(model.table)} ${ident(alias)} on ${ident(alias, 'id')} = ${link}${visible}`,
    );
  }
  select.joins.set(prefix, next);
  return next;
}

/**
 * Walks a dotted path up to its last field, through many2ones only. Unchecked are paths that the server itself names; those
 * end where the caller may not read on, at a stop that is not readable.
 */
export function walk(
  select: Select,
  path: readonly string[],
  options: { readonly unchecked?: boolean } = {},
): { readonly stop: Stop; readonly field: Field } {
  let stop = rootOf(select);
  for (let i = 0; ; i++) {
    const field = knownField(stop.model, path[i] as string);
    if (!options.unchecked) checkFieldRead(select.env, field);
    else if (!stop.isReadable) return { stop, field };
    if (i === path.length - 1) {
      checkReachable(stop, field);
      return { stop, field };
    }
    if (field.kind.isList) throw throughLines(path, i);
    if (!field.kind.isToOne) {
      throw invalidArgs(`${path.join('.')}: ${field.name} of ${stop.model.name} is not a relation.`, {
        field: path.join('.'),
      });
    }
    stop = joinRelation(select, stop, field);
    if (!options.unchecked) checkCovered(select.env, stop.model, 'read');
  }
}

function throughLines(path: readonly string[], at: number): Error {
  const asked = path.join('.');
  const relation = path.slice(0, at + 1).join('.');
  const rest = path.slice(at + 1).join('.');
  return invalidArgs(`${asked} goes through ${path[at]}, which holds many records.`, {
    field: asked,
    hint: `Ask for it with a nested projection: {"${relation}": ["${rest}"]}.`,
  });
}

/** The rows a caller may read among those that the domain matches; ACCESS_DENIED when there can be none. */
export function visibleRows(select: Select, domain: AnyDomain | undefined): Sql {
  const { env, model, alias, compiler } = select;
  checkModelAccess(env, model, 'read');
  const parts: Sql[] = [];
  const node = domainTree(domain ?? []);
  if (node.kind !== 'all') parts.push(compiler.node(model, node, alias));
  const rule = compiler.rules(model, 'read', alias);
  if (rule) parts.push(rule);
  return and(parts);
}

export function selectFrom(select: Select, source: Sql, tail: Sql): Sql {
  return sql`select ${join(select.columns)} from ${source}${join(select.joinClauses, empty)}${tail}`;
}

export function tableOf(select: Select): Sql {
  return sql`${ident(select.model.table)} ${ident(select.alias)}`;
}

interface Page {
  readonly where: Sql;
  readonly order: readonly Sql[];
  /** Whether the order reads joined tables, so that rows cannot be cut before the joins. */
  readonly orderJoins: boolean;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** One page in one statement. Rows are cut before names are joined to them where the order allows it: deep pages stay cheap. */
export function pageStatement(select: Select, page: Page): Sql {
  const order = sql` order by ${join(page.order)}`;
  const cut = cutClause(page.limit, page.offset);
  const isCut = page.limit !== undefined || page.offset;
  if (!isCut || page.orderJoins || select.joinClauses.length === 0) {
    return selectFrom(select, tableOf(select), sql` where ${page.where}${order}${cut}`);
  }
  const alias = ident(select.alias);
  const rows = sql`(select ${alias}.* from ${tableOf(select)} where ${page.where}${order}${cut}) ${alias}`;
  return selectFrom(select, rows, order);
}

/**
 * With a constant limit the database keeps one plan for the statement; with a parameter it finds that no general plan is
 * good and plans every time. So the usual page sizes are constants, and only they, to keep the number of statements small.
 */
const usualLimits: ReadonlySet<number> = new Set([1, 40, 80, 100, 500]);

export function cutClause(limit: number | undefined, offset: number | undefined): Sql {
  const skipped = offset ? sql` offset ${offset}` : empty;
  if (limit === undefined) return skipped;
  return sql` limit ${usualLimits.has(limit) ? literal(String(limit)) : limit}${skipped}`;
}

/** Checks a limit or an offset; both are whole numbers from 0 on. */
export function checkCount(value: unknown, name: 'limit' | 'offset'): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidArgs(`${name} must be a whole number from 0 on.`, { field: name });
}

/** A field whose value is worked out in server code each time it is read; everything else has an SQL form. */
export function isComputedOnRead(field: Field): field is Field & { readonly compute: ComputeByValue } {
  return field.compute !== null && 'value' in field.compute && !field.isStored && field.spec.stored !== true;
}
