import { ident, sql } from '@kontor/database';
import { invalidArgs } from '@kontor/protocol';
import { checkCovered } from '../access/scope.ts';
import type { Model } from '../model/model.ts';
import type { Compiler, FieldPlace, Reach } from './compiler.ts';
import { allOf } from './criterion-sql.ts';
import { knownField, relatedModel } from './known-field.ts';

/**
 * PostgreSQL turns each EXISTS into a join and compares their orders: planning a thousand took 18 s. It does not touch `exists (…)
 * is true` (1 s), so the first ones get the better plan and a hostile domain cannot take seconds.
 */
const maxJoined = 12;

/** The records that a relation leads to from one row of a statement. */
export function reach(compiler: Compiler, place: FieldPlace, { idsOnly = false } = {}): Reach {
  const target = relatedModel(compiler.env.registry, place.field);
  if (compiler.checksRights) checkCovered(compiler.env, target, 'read');
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
