import { type Cell, ident, join, type Sql, sql, trustedSql } from '@kontor/database';
import { endOf, type Hop, hopsOf, joinForward } from '../graph/relation-path.ts';
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
  const scans = scansOf(env, model, fields);
  const values = scans.flatMap(({ measured }, at) =>
    measured.map(({ field, i }) => sql`${valueSql(field, ident(`g${at}`, `v${i}`))} as ${ident(`v${i}`)}`),
  );
  const groups = scans.map((scan, at) => groupSql(model, scan, ids, ident(`g${at}`)));
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

/** The lines along one path, and what is measured of them. */
interface Scan {
  readonly hops: readonly Hop[];
  readonly measured: readonly { readonly field: Field; readonly i: number; readonly sql: Sql }[];
}

/** Aggregates of the same lines are measured together. */
function scansOf({ registry }: Env, model: Model, fields: readonly Field[]): readonly Scan[] {
  const scans = new Map<string, Scan & { readonly measured: Scan['measured'][number][] }>();
  for (const [i, field] of fields.entries()) {
    const { measure, path } = aggregateOf(field.compute as ComputeByAggregate);
    const names = path.split('.');
    const lines = measure === 'count' ? names : names.slice(0, -1);
    const hops = hopsOf(registry, model, lines);
    const leaf = endOf(model, hops).fields.get(names.at(-1) as string)?.column;
    const value = leaf ? ident(`a${hops.length}`, leaf) : sql`*`;
    const scan = scans.get(lines.join('.')) ?? { hops, measured: [] };
    scan.measured.push({ field, i, sql: measures[measure](value) });
    scans.set(lines.join('.'), scan);
  }
  return [...scans.values()];
}

/** Records without lines have no row in it. */
function groupSql(model: Model, { hops, measured }: Scan, ids: readonly number[], alias: Sql): Sql {
  return sql`
      left join (
        select a0.id, ${join(measured.map((each) => sql`${each.sql} as ${ident(`v${each.i}`)}`))}
        from ${ident(model.table)} a0${joinForward(hops)}
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
