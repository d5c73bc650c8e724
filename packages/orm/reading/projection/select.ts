import { ident, type Sql, sql } from '@kontor/database';
import { accessDenied, invalidArgs } from '@kontor/protocol';
import { checkFieldRead } from '../../access/field-access.ts';
import { mayAccessModel } from '../../access/model-access.ts';
import type { Compiler } from '../../domain/compiler.ts';
import { createCompiler } from '../../domain/create-compiler.ts';
import { knownField } from '../../domain/known-field.ts';
import type { Env, Field, Model } from '../../model/model.ts';

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
export function goThrough(select: Select, stop: Stop, field: Field): Stop {
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
    stop = goThrough(select, stop, field);
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
