import { ident, join, type Sql, sql } from '@kontor/database';
import type { Field, Model, Registry } from '../model/model.ts';

/** One stored relation, from one model to the next. */
export interface Hop {
  readonly from: Model;
  readonly field: Field;
  readonly to: Model;
}

/** Splits a path of relations into hops; related relations are replaced by their path. */
export function hopsOf(registry: Registry, from: Model, path: readonly string[]): readonly Hop[] {
  const hops: Hop[] = [];
  let model = from;
  for (const name of path) {
    const field = model.fields.get(name);
    const relation = field?.spec.relation;
    if (!field || !relation) throw new Error(`${model.name}.${name} is not a relation.`);
    const to = registry.model(relation);
    if (field.isStored || field.through || (field.spec.inverse && !field.compute))
      hops.push({ from: model, field, to });
    else if (field.related) hops.push(...hopsOf(registry, model, field.related));
    else throw new Error(`${model.name}.${name} is not kept in the database; no stored compute can depend on it.`);
    model = to;
  }
  return hops;
}

/** The last model that a path of relations leads to. */
export function endOf(from: Model, hops: readonly Hop[]): Model {
  return hops.at(-1)?.to ?? from;
}

/** Joins the tables of a path; hop `i` leads from alias `a<i>` to alias `a<i+1>`. */
export function joinForward(hops: readonly Hop[]): Sql {
  return join(
    hops.map((hop, i) => sql` ${link(hop, i)} join ${ident(hop.to.table)} ${ident(`a${i + 1}`)} on ${toSide(hop, i)}`),
    sql``,
  );
}

/** The same joins for a walk that starts at the end of the path. */
export function joinBackward(hops: readonly Hop[]): Sql {
  const joins: Sql[] = [];
  for (let i = hops.length - 1; i >= 0; i--) {
    const hop = hops[i] as Hop;
    const own = sql`join ${ident(hop.from.table)} ${ident(`a${i}`)}`;
    if (hop.field.through) {
      const { table, own: ownColumn, other } = hop.field.through;
      joins.push(sql` join ${ident(table)} ${ident(`m${i}`)} on ${ident(`m${i}`, other)} = ${ident(`a${i + 1}`, 'id')}
        ${own} on ${ident(`a${i}`, 'id')} = ${ident(`m${i}`, ownColumn)}`);
    } else joins.push(sql` ${own} on ${toSide(hop, i)}`);
  }
  return join(joins, sql``);
}

function link(hop: Hop, i: number): Sql {
  if (!hop.field.through) return sql``;
  const { table, own } = hop.field.through;
  return sql`join ${ident(table)} ${ident(`m${i}`)} on ${ident(`m${i}`, own)} = ${ident(`a${i}`, 'id')}`;
}

function toSide({ field, to }: Hop, i: number): Sql {
  const next = ident(`a${i + 1}`, 'id');
  if (field.through) return sql`${next} = ${ident(`m${i}`, field.through.other)}`;
  if (field.spec.inverse) {
    const column = to.fields.get(field.spec.inverse)?.column;
    if (!column) throw new Error(`${to.name}.${field.spec.inverse} has no column.`);
    return sql`${ident(`a${i + 1}`, column)} = ${ident(`a${i}`, 'id')}`;
  }
  return sql`${next} = ${ident(`a${i}`, field.column as string)}`;
}
