import { ident, join, sql } from '@kontor/database';
import type { Env } from '../env.ts';
import type { Field, Model } from '../model/model.ts';
import { columnArray, toParameter } from './column-array.ts';
import { translated } from './translated.ts';

/** One INSERT for all rows; the ids come back in the order of the rows. */
export async function insertRows(
  env: Env,
  model: Model,
  fields: readonly Field[],
  rows: readonly ReadonlyMap<Field, unknown>[],
): Promise<number[]> {
  const columns = join(fields.map((field) => ident(field.column as string)));
  const table = ident(model.table);
  const [first] = rows;
  if (first === undefined) return [];
  const inserted = await translated(env, () => {
    if (rows.length === 1) {
      const values = join(fields.map((field) => sql`${toParameter(field, cellOf(field, first))}`));
      return env.db.arrays(sql`insert into ${table} (${columns}) values (${values}) returning id`);
    }
    const arrays = fields.map((field) =>
      columnArray(
        field,
        rows.map((row) => cellOf(field, row)),
      ),
    );
    return env.db.arrays(sql`
      insert into ${table} (${columns})
      select ${columns} from unnest(${join(arrays)}) with ordinality as given(${columns}, "row number")
      order by "row number" returning id`);
  });
  return inserted.map(([id]) => id as number);
}

/** A row that lacks a column that others have: empty, which for a boolean is no. */
function cellOf(field: Field, row: ReadonlyMap<Field, unknown>): unknown {
  if (row.has(field)) return row.get(field);
  return field.spec.type === 'boolean' ? false : null;
}
