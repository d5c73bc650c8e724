import { ident, type Sql, sql } from '@kontor/database';
import { parseDomain } from '@kontor/protocol';
import { domainToSql } from '../domain/compile-domain.ts';
import type { Env, Field, Model, Registry } from '../model/model.ts';
import { inverseLists } from './inverse-lists.ts';

/** A way by which rows refer to records of a model: a relation, a link, a reference, or a pair of fields for model and id. */
export interface WayTo {
  /** The model of the referring records. */
  readonly model: Model;
  /** The relation; null for a pair of model and id. */
  readonly field: Field | null;
  /** The table to search, as `t`. */
  readonly table: string;
  /** The id of the referring record, of the referenced record, and who last wrote it. */
  readonly source: Sql;
  readonly target: Sql;
  readonly author: Sql;
  /** Whether a row refers to one of these ids, an `int4[]`. */
  refersTo(ids: Sql): Sql;
}

/** All ways by which stored rows refer to records of a model; the creator and last writer of a row do not count. */
export function waysTo(env: Env, target: Model): readonly WayTo[] {
  return [...env.registry.models.values()].flatMap((model) => {
    if (model.isTransient || model.served) return [];
    const own = [...model.fields.values()].flatMap((field) => wayBy(model, field, target) ?? []);
    const pair = wayByPair(env, model, target);
    return pair ? [...own, pair] : own;
  });
}

function wayBy(model: Model, field: Field, target: Model): WayTo | null {
  const { column, through, spec, kind } = field;
  if (field.compute !== null || field.related !== null || isStamp(field.name)) return null;
  if (through && spec.relation === target.name) {
    const [source, other] = [ident('t', through.own), ident('t', through.other)];
    const row = { table: through.table, source, target: other, author: sql`null::int4` };
    return { model, field, ...row, refersTo: (ids) => sql`${other} = any(${ids})` };
  }
  if (column === null) return null;
  const cell = ident('t', column);
  const row = { model, field, table: model.table, source: ident('t', 'id'), author: ident('t', 'write_uid') };
  if (kind.isToOne && spec.relation === target.name) {
    return { ...row, target: cell, refersTo: (ids) => sql`${cell} = any(${ids})` };
  }
  if (!kind.isReference || (spec.models && !spec.models.includes(target.name))) return null;
  return {
    ...row,
    target: sql`split_part(${cell}, ',', 2)::int4`,
    refersTo: (ids) => sql`${cell} = any(array(select ${`${target.name},`}::text || each from unnest(${ids}) as each))`,
  };
}

function wayByPair(env: Env, model: Model, target: Model): WayTo | null {
  const { about } = model;
  if (!about) return null;
  const [name, id] = [ident('t', about.model), ident('t', about.id)];
  const counts = about.where ? domainToSql(env.sudo(), model, parseDomain(about.where), 't') : sql`true`;
  const row = { model, field: null, table: model.table, source: ident('t', 'id'), author: ident('t', 'write_uid') };
  const refersTo = (ids: Sql) => sql`${name} = ${target.name} and ${id} = any(${ids}) and ${counts}`;
  return { ...row, target: id, refersTo };
}

/** Whether a relation is stored itself: it is not computed, and of two many2manys over one table it is the main one. */
export function pointsByItself(registry: Registry, field: Field): boolean {
  if (field.through !== null) return isMainSide(registry, field);
  if (!field.kind.isToOne || field.column === null) return false;
  if (field.compute !== null || field.related !== null) return false;
  return !isStamp(field.name);
}

/**
 * Deleting a tag changes the orders that had it, but deleting an order does not change its tags: of two fields over one
 * table, only the one that the other names as its inverse is followed.
 */
function isMainSide(registry: Registry, field: Field): boolean {
  const [mirror] = inverseLists(registry, field);
  return mirror === undefined || (mirror.field.spec.inverse === field.name && field.spec.inverse === undefined);
}

function isStamp(name: string): boolean {
  return name === 'create_uid' || name === 'write_uid';
}
