import { ident, join, type Sql, sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import { columnArray, toParameter } from './column-array.ts';
import { sameValue } from './same-value.ts';
import { translated } from './translated.ts';

interface RowUpdate {
  readonly id: number;
  /** A value for every field of the update. */
  readonly values: ReadonlyMap<Field, unknown>;
}

/**
 * One UPDATE for all rows, whether they get the same values or each its own. `verdict` is asked of each row afterwards,
 * under the alias `r`; the answer is the ids for which it does not hold.
 */
export async function updateRows(
  env: Env,
  model: Model,
  fields: readonly Field[],
  rows: readonly RowUpdate[],
  verdict: Sql = sql`true`,
): Promise<number[]> {
  if (rows.length === 0 || fields.length === 0) return [];
  const change = isShared(fields, rows) ? sameForAll(fields, rows) : eachItsOwn(fields, rows);
  const answers = await translated(env, () =>
    env.db.arrays(sql`update ${ident(model.table)} as r set ${change} returning r.id, (${verdict}) is true`),
  );
  return answers.flatMap(([id, holds]) => (holds === true ? [] : [id as number]));
}

function isShared(fields: readonly Field[], rows: readonly RowUpdate[]): boolean {
  const [first, ...others] = rows;
  return others.every(({ values }) =>
    fields.every((field) => sameValue(field, values.get(field), first?.values.get(field))),
  );
}

function sameForAll(fields: readonly Field[], rows: readonly RowUpdate[]): Sql {
  const values = rows[0]?.values;
  const set = assign(fields, (field) => sql`${toParameter(field, values?.get(field))}`);
  return sql`${set} where r.id = any(${rows.map((row) => row.id)}::int4[])`;
}

function eachItsOwn(fields: readonly Field[], rows: readonly RowUpdate[]): Sql {
  const columns = join(fields.map((field) => ident(field.column as string)));
  const arrays = fields.map((field) =>
    columnArray(
      field,
      rows.map((row) => row.values.get(field)),
    ),
  );
  const ids = rows.map((row) => row.id);
  return sql`${assign(fields, (field) => ident('given', field.column as string))}
    from unnest(${ids}::int4[], ${join(arrays)}) as given("row id", ${columns}) where r.id = given."row id"`;
}

function assign(fields: readonly Field[], value: (field: Field) => Sql): Sql {
  return join(fields.map((field) => sql`${ident(field.column as string)} = ${value(field)}`));
}
