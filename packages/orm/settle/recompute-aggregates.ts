import { type Cell, ident, join, type Sql, sql, trustedSql } from '@kontor/database';
import { endOf, hopsOf, joinForward } from '../graph/relation-path.ts';
import type { ComputeByAggregate } from '../model/behaviour.ts';
import { aggregateOf } from '../model/depends.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { sameValue } from '../model/same-value.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import type { HeldRecord } from '../operation/settle-state.ts';
import { type ColumnChange, recordChanges } from '../rows/held-records.ts';
import { stamp, toParameter, translated } from '../rows/rows.ts';

/** Sums, counts, minima and maxima of locked records, in one statement that starts after the locks were taken. */
export async function recomputeAggregates(
  env: Env,
  model: Model,
  fields: readonly Field[],
  held: ReadonlyMap<number, HeldRecord>,
): Promise<readonly ColumnChange[]> {
  const ids = [...held.keys()];
  const columns = fields.map((field) => ident(field.column as string));
  const news = fields.map((_, i) => ident('s', `v${i}`));
  const stamps = [...stamp(env, model, ['write_date', 'write_uid'])];
  const assigned = [
    ...columns.map((column, i) => sql`${column} = ${news[i]}`),
    ...stamps.map(([field, value]) => sql`${ident(field.column as string)} = ${toParameter(field, value)}`),
  ];
  const values = fields.map((field, i) => sql`${valueSql(field, ident(`g${i}`, 'v'))} as ${ident(`v${i}`)}`);
  const groups = fields.map((field, i) => groupSql(env, model, field, ids, ident(`g${i}`)));
  const statement = sql`
    update ${ident(model.table)} t set ${join(assigned)}
    from (select b.id, ${join(values)} from unnest(${ids}::int4[]) as b(id)${join(groups, sql``)}) s
    where t.id = s.id and (${join(
      columns.map((column, i) => sql`t.${column} is distinct from ${news[i]}`),
      sql` or `,
    )})
    returning t.id, ${join(columns.map((column) => sql`t.${column}`))}`;
  const rows = await translated(env, () => env.db.arrays(statement));
  const changes = rows.map((row) => toChange(row, fields, held));
  recordChanges(env, model, changes, held);
  return changes;
}

/** One aggregate by record; records without lines have no row in it. */
function groupSql(env: Env, model: Model, field: Field, ids: readonly number[], alias: Sql): Sql {
  const { measure, path } = aggregateOf(field.compute as ComputeByAggregate);
  const names = path.split('.');
  const hops = hopsOf(env.registry, model, measure === 'count' ? names : names.slice(0, -1));
  const leaf = endOf(model, hops).fields.get(names.at(-1) as string)?.column;
  const value = leaf ? ident(`a${hops.length}`, leaf) : sql`*`;
  return sql`
      left join (
        select a0.id, ${measures[measure](value)} as v from ${ident(model.table)} a0${joinForward(hops)}
        where a0.id = any(${ids}::int4[]) group by a0.id
      ) ${alias} on ${alias}.id = b.id`;
}

const measures = {
  sum: (value: Sql) => sql`sum(${value})`,
  count: () => sql`count(*)`,
  min: (value: Sql) => sql`min(${value})`,
  max: (value: Sql) => sql`max(${value})`,
};

/** In the column's own type, so that rounding does not look like a change. PostgreSQL rounds numerics half up. */
function valueSql(field: Field, value: Sql): Sql {
  const { measure } = aggregateOf(field.compute as ComputeByAggregate);
  const type = trustedSql(field.kind.column(field) as string);
  return measure === 'sum' || measure === 'count' ? sql`coalesce(${value}, 0)::${type}` : sql`${value}::${type}`;
}

function toChange(row: readonly Cell[], fields: readonly Field[], held: ReadonlyMap<number, HeldRecord>): ColumnChange {
  const id = row[0] as number;
  const changed = new Map<Field, FieldChange>();
  for (const [i, field] of fields.entries()) {
    const value = field.kind.fromCell(row[i + 1] as Cell);
    const old = held.get(id)?.values.get(field) ?? null;
    if (!sameValue(field, old, value)) changed.set(field, { old, new: value });
  }
  return { id, changed };
}
