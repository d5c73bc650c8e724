import { and, type Cell, ident, join, type Sql, sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import { columnArray, toParameter } from './column-array.ts';
import { translated } from './translated.ts';

interface Insert {
  readonly fields: readonly Field[];
  readonly rows: readonly ReadonlyMap<Field, unknown>[];
  /** What the new row, under the alias `r`, is asked. */
  readonly verdict: Sql;
  /** Of a single row: it is inserted only if these hold. */
  readonly conditions: readonly Sql[];
}

interface Inserted {
  readonly id: number;
  readonly verdict: boolean;
}

/** One INSERT for all rows; the answers come in the order of the rows. */
export async function insertRows(env: Env, model: Model, insert: Insert): Promise<Inserted[]> {
  const into = ident(model.table);
  const columns = join(insert.fields.map((field) => ident(field.column as string)));
  const source = insert.rows.length === 1 ? oneRow(insert) : manyRows(insert, columns);
  const cells = await translated(env, () =>
    env.db.arrays(sql`insert into ${into} as r (${columns}) ${source} returning r.id, (${insert.verdict}) is true`),
  );
  return cells.map(([id, verdict]: readonly Cell[]) => ({ id: id as number, verdict: verdict === true }));
}

function oneRow({ fields, rows: [row], conditions }: Insert): Sql {
  const values = join(fields.map((field) => sql`${toParameter(field, row?.get(field))}`));
  return conditions.length === 0 ? sql`values (${values})` : sql`select ${values} where ${and(conditions)}`;
}

function manyRows({ fields, rows }: Insert, columns: Sql): Sql {
  const arrays = fields.map((field) =>
    columnArray(
      field,
      rows.map((row) => cellOf(field, row)),
    ),
  );
  return sql`
    select ${columns} from unnest(${join(arrays)}) with ordinality as given(${columns}, "row number")
    order by "row number"`;
}

/** A row that lacks a column that others have: empty, which for a boolean is no. */
function cellOf(field: Field, row: ReadonlyMap<Field, unknown>): unknown {
  if (row.has(field)) return row.get(field);
  return field.kind.absent;
}
