import { and, empty, ident, join, literal, type Sql, sql } from '@kontor/database';
import { type AnyDomain, accessDenied, domainTree, invalidArgs } from '@kontor/protocol';
import { checkFieldRead } from '../access/field-access.ts';
import { checkModelAccess, mayAccessModel } from '../access/model-access.ts';
import { modelRefusals } from '../access/refusals.ts';
import { checkCovered } from '../access/scope.ts';
import { createCompiler } from '../domain/compile-domain.ts';
import type { Compiler } from '../domain/compiler.ts';
import { knownField } from '../domain/known-field.ts';
import type { ComputeByValue } from '../model/behaviour.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { budgets, checkDomainCost, overBudget } from './budgets.ts';

/** One statement being planned: its columns, and one LEFT JOIN per many2one prefix of any path. */
export interface Select {
  readonly env: Env;
  readonly model: Model;
  readonly alias: string;
  readonly compiler: Compiler;
  readonly columns: Sql[];
  readonly joins: Map<string, JoinedTable>;
  readonly joinClauses: Sql[];
  readonly indexes: Map<string, number>;
}

/** The table at one step of a path: its alias in the statement, and whether the caller may read it. */
export interface JoinedTable {
  readonly alias: string;
  readonly model: Model;
  /** The many2ones of the path so far, such as `partner_id.country_id.`; empty for the root. */
  readonly prefix: string;
  /** False: the caller may not read the model, and sees only ids of its records. */
  readonly isReadable: boolean;
}

export function startSelect(env: Env, model: Model, alias = 't', options?: { readonly readsStored: boolean }): Select {
  const compiler = createCompiler(env, alias, options);
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

export function rootTable(select: Select): JoinedTable {
  return { alias: select.alias, model: select.model, prefix: '', isReadable: true };
}

export function addColumn(select: Select, key: string, expression: Sql): number {
  const known = select.indexes.get(key);
  if (known !== undefined) return known;
  select.columns.push(expression);
  select.indexes.set(key, select.columns.length - 1);
  return select.columns.length - 1;
}

export function idColumn(select: Select, table: JoinedTable): number {
  return addColumn(select, `${table.alias}.id`, sql`${ident(table.alias, 'id')}`);
}

/** The column of a field. Names of records in a model that the caller may not read are null. */
export function fieldColumn(select: Select, table: JoinedTable, field: Field): number {
  const key = `${table.alias}.${field.name}`;
  const known = select.indexes.get(key);
  if (known !== undefined) return known;
  checkReachable(table, field);
  if (!table.isReadable) return addColumn(select, key, sql`null::text`);
  const value = fieldAt(select, table, field);
  return addColumn(select, key, field.kind.cellSql?.(value) ?? value);
}

/** The value of a field. Null if the join found no record: names, sums and booleans would otherwise have a value. */
export function fieldAt(select: Select, table: JoinedTable, field: Field, compiler = select.compiler): Sql {
  const value = compiler.field(table.model, field, table.alias);
  const isBoolean = field.kind.isBoolean;
  if (table.prefix === '' || (field.column !== null && !isBoolean)) return value;
  const found = isBoolean ? sql`coalesce(${value}, false)` : value;
  return sql`case when ${ident(table.alias, 'id')} is not null then ${found} end`;
}

/** From a model that the caller may not read, only names may be selected. */
export function checkReachable(table: JoinedTable, field: Field): void {
  if (table.isReadable || field.name === 'display_name') return;
  throw accessDenied(table.model.name, 'read', 'model', {
    message: modelRefusals.read({ model: table.model.label }),
    field: `${table.prefix}${field.name}`,
  });
}

/**
 * Joins the table of a many2one. The rules of the related model are part of the join condition: all columns of a hidden
 * record are null. Its id is still in the column of the many2one.
 */
export function joinRelation(select: Select, table: JoinedTable, field: Field): JoinedTable {
  const prefix = `${table.prefix}${field.name}.`;
  const known = select.joins.get(prefix);
  if (known) return known;
  checkReachable(table, field);
  checkJoins(select, prefix);
  const model = select.env.registry.model(field.spec.relation as string);
  const alias = `${select.alias}_j${select.joins.size + 1}`;
  const next: JoinedTable = { alias, model, prefix, isReadable: mayAccessModel(select.env, model, 'read') };
  if (next.isReadable) {
    const link = select.compiler.field(table.model, field, table.alias);
    const rule = select.compiler.rules(model, 'read', alias);
    const visible = rule ? sql` and ${rule}` : sql``;
    select.joinClauses.push(
      sql` left join ${ident(model.table)} ${ident(alias)} on ${ident(alias, 'id')} = ${link}${visible}`,
    );
  }
  select.joins.set(prefix, next);
  return next;
}

function checkJoins({ env, joins }: Select, prefix: string): void {
  if (env.isSudo || joins.size < budgets.joins) return;
  throw overBudget({
    budget: 'joins',
    limit: budgets.joins,
    message: `Paths go through at most ${budgets.joins} relations in all; paths with the same beginning share them.`,
    field: prefix.slice(0, -1),
  });
}

/**
 * Joins the tables of a dotted path through many2ones, and returns its last field. `unchecked` is for paths that the
 * server names: they end early at a table that the caller may not read.
 */
export function walk(
  select: Select,
  path: readonly string[],
  options: { readonly unchecked?: boolean } = {},
): { readonly table: JoinedTable; readonly field: Field } {
  let table = rootTable(select);
  for (let i = 0; ; i++) {
    const field = knownField(table.model, path[i] as string);
    if (!options.unchecked) checkFieldRead(select.env, field);
    else if (!table.isReadable) return { table, field };
    if (i === path.length - 1) {
      checkReachable(table, field);
      return { table, field };
    }
    if (field.kind.isList) throw throughLines(path, i);
    if (!field.kind.isToOne) {
      throw invalidArgs(`${path.join('.')}: ${field.name} of ${table.model.name} is not a relation.`, {
        field: path.join('.'),
      });
    }
    table = joinRelation(select, table, field);
    if (!options.unchecked) checkCovered(select.env, table.model, 'read');
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

/** Matching rows that the caller may read; ACCESS_DENIED without access to the model. */
export function visibleRows(select: Select, domain: AnyDomain | undefined): Sql {
  const { env, model, alias, compiler } = select;
  checkModelAccess(env, model, 'read');
  const parts: Sql[] = [];
  const node = domainTree(domain ?? []);
  checkDomainCost(env, model, node);
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
  /** Whether the order reads joined tables: then the page can only be cut after the joins. */
  readonly orderJoins: boolean;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/**
 * One page in one statement. If the order allows it, rows are cut before names are joined, so that deep pages stay
 * fast.
 */
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
 * With a constant limit the database reuses the plan of the statement; with a parameter it plans every time. Only the usual
 * page sizes are constants, so that the number of statements stays small.
 */
const usualLimits: ReadonlySet<number> = new Set([1, 40, 80, 100, 500, budgets.groups + 1]);

export function cutClause(limit: number | undefined, offset: number | undefined): Sql {
  const skipped = offset ? sql` offset ${offset}` : empty;
  if (limit === undefined) return skipped;
  return sql` limit ${usualLimits.has(limit) ? literal(String(limit)) : limit}${skipped}`;
}

/** Checks a limit or an offset; both are integers from 0 on. */
export function checkCount(value: unknown, name: 'limit' | 'offset'): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidArgs(`${name} must be a whole number from 0 on.`, { field: name });
}

/** A field that server code computes on each read; every other field has an SQL expression. */
export function isComputedOnRead(field: Field): field is Field & { readonly compute: ComputeByValue } {
  return field.compute !== null && 'value' in field.compute && !field.isStored && field.spec.stored !== true;
}
