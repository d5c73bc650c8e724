import { ident, join, type Sql, sql } from '@kontor/database';
import type { Env } from '../env.ts';
import type { Field, Model } from '../model/model.ts';
import { columnArray, toParameter } from './column-array.ts';
import { sameValue } from './same-value.ts';
import { translated } from './translated.ts';

export interface RowUpdate {
  readonly id: number;
  /** A value for every field of the update. */
  readonly values: ReadonlyMap<Field, unknown>;
}

/** One UPDATE for all rows, whether they get the same values or each its own. */
export async function updateRows(
  env: Env,
  model: Model,
  fields: readonly Field[],
  rows: readonly RowUpdate[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined || fields.length === 0) return;
  const ids = rows.map((row) => row.id);
  const isShared = rows.every(
    (row) =>
      row.values === first.values ||
      fields.every((field) => sameValue(field, row.values.get(field), first.values.get(field))),
  );
  const table = ident(model.table);
  const statement = isShared
    ? sql`update ${table} set ${assign(fields, (field) => sql`${toParameter(field, first.values.get(field))}`)}
        where id = any(${ids}::int4[])`
    : sql`update ${table} as r set ${assign(fields, (field) => ident('given', field.column as string))}
        from unnest(${ids}::int4[], ${join(
          fields.map((field) =>
            columnArray(
              field,
              rows.map((row) => row.values.get(field)),
            ),
          ),
        )})
          as given("row id", ${join(fields.map((field) => ident(field.column as string)))})
        where r.id = given."row id"`;
  await translated(env, () => env.db.execute(statement));
}

function assign(fields: readonly Field[], value: (field: Field) => Sql): Sql {
  return join(fields.map((field) => sql`${ident(field.column as string)} = ${value(field)}`));
}
