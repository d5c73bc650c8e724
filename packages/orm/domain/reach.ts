import { ident, type Sql, sql } from '@kontor/database';
import { invalidArgs } from '@kontor/protocol';
import type { Field, Model } from '../model/model.ts';
import { allOf } from './combine.ts';
import type { Compiler } from './compiler.ts';
import { knownField } from './known-field.ts';

/**
 * PostgreSQL turns each EXISTS into a join and weighs them against one another: a thousand took it 18 s to plan. It leaves
 * `exists (…) is true` alone (1 s), so the first ones get the better plan and a hostile domain cannot buy seconds.
 */
const maxJoined = 12;

export interface FieldPlace {
  readonly model: Model;
  readonly field: Field;
  readonly alias: string;
}

/** The records that a relation leads to, from one row. */
export interface Reach {
  readonly target: Model;
  /** Tables for a `from`. */
  readonly from: Sql;
  /** Which of their rows belong to the row. */
  readonly link: Sql;
  /** Alias of the target's table. */
  readonly alias: string;
  readonly id: Sql;
  /** Some record that may be seen satisfies the condition; without one: there is one. Never null. */
  exists(condition?: (alias: string) => Sql): Sql;
}

export function relatedModel(compiler: Compiler, field: Field): Model {
  const { relation } = field.spec;
  if (relation === undefined) {
    throw invalidArgs(`${field.model}.${field.name} is not a relation: a path cannot go through it.`, {
      field: field.name,
    });
  }
  return compiler.env.registry.model(relation);
}

/** With `idsOnly` the target's table is left out where the table between already holds the ids and nothing is hidden. */
export function reach(compiler: Compiler, place: FieldPlace, { idsOnly = false } = {}): Reach {
  const target = relatedModel(compiler, place.field);
  const alias = compiler.alias();
  const visible = compiler.visible(target, alias);
  const tables = tablesOf(compiler, place, { target, alias, idsOnly: idsOnly && visible === null });
  return {
    target,
    alias,
    ...tables,
    exists(condition) {
      const isJoined = compiler.countExists() <= maxJoined;
      const where = allOf([tables.link, condition?.(alias) ?? null, visible]);
      const exists = sql`exists (select 1 from ${tables.from} where ${where})`;
      return isJoined ? exists : sql`(${exists} is true)`;
    },
  };
}

function tablesOf(
  compiler: Compiler,
  { model, field, alias: row }: FieldPlace,
  { target, alias, idsOnly }: { readonly target: Model; readonly alias: string; readonly idsOnly: boolean },
): Pick<Reach, 'from' | 'link' | 'id'> {
  const from = sql`${ident(target.table)} as ${ident(alias)}`;
  const id = ident(alias, 'id');
  if (field.kind.isToOne) return { from, id, link: sql`${id} = ${compiler.field(model, field, row)}` };
  if (field.through !== null) {
    const { table, own, other } = field.through;
    const between = idsOnly ? alias : compiler.alias();
    const link = sql`${ident(between, own)} = ${ident(row, 'id')}`;
    const through = sql`${ident(table)} as ${ident(between)}`;
    if (idsOnly) return { from: through, id: ident(between, other), link };
    return { from: sql`${through} join ${from} on ${id} = ${ident(between, other)}`, id, link };
  }
  if (field.spec.inverse === undefined) {
    throw invalidArgs(`${field.model}.${field.name} is not searchable.`, { field: field.name });
  }
  const inverse = compiler.trusted().field(target, knownField(target, field.spec.inverse), alias);
  return { from, id, link: sql`${inverse} = ${ident(row, 'id')}` };
}
