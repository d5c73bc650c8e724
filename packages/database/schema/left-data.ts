import type { Queryable, Transaction } from '../queryable.ts';
import { ident, join, sql } from '../sql/sql.ts';
import { readLiveTables } from './read-live-tables.ts';
import type { TableSpec } from './table-spec.ts';

/** A table or a column with data that no model declares any more. */
export interface LeftData {
  readonly table: string;
  /** Null: the whole table. */
  readonly column: string | null;
  /** Rows of the table, or those with a value in the column. */
  readonly rows: number;
}

/**
 * Data of earlier versions or uninstalled modules: nothing is dropped automatically. A table counts if it was created for a model,
 * as its columns show, or for the links between two.
 */
export async function leftData(db: Queryable, specs: readonly TableSpec[]): Promise<LeftData[]> {
  const wanted = new Map(specs.map((table) => [table.name, new Set(table.columns.map(({ name }) => name))]));
  const tables = await db.query<{ name: string }>(sql`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not c.relname = any(${[...wanted.keys()]}::text[])
      and (c.relname like '%\\_rel' or (select count(*) from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
        and a.attname in ('id', 'create_date', 'create_uid', 'write_date', 'write_uid')) = 5)
    order by c.relname`);
  const live = await readLiveTables(db, [...wanted.keys()]);
  const columns = [...live.values()].flatMap(({ name: table, columns }) =>
    [...columns.keys()]
      .filter((column) => column !== 'id' && !wanted.get(table)?.has(column))
      .map((column) => ({ table, column: column as string | null })),
  );
  const places = [...columns, ...tables.map(({ name }) => ({ table: name, column: null }))];
  if (places.length === 0) return [];
  const counts = places.map(({ table, column }, index) => {
    const counted = column === null ? sql`*` : ident(column);
    return sql`select ${index}::int4 as place, count(${counted})::int4 as rows from ${ident(table)}`;
  });
  const rows = await db.query<{ place: number; rows: number }>(join(counts, sql` union all `));
  return rows
    .filter((row) => row.rows > 0)
    .map((row) => ({ ...(places[row.place] as { table: string; column: string | null }), rows: row.rows }));
}

/** Drops it permanently. The caller rejects what is declared again by now. */
export async function dropLeft(tx: Transaction, { table, column }: Pick<LeftData, 'table' | 'column'>): Promise<void> {
  if (column === null) await tx.execute(sql`drop table ${ident(table)}`);
  else await tx.execute(sql`alter table ${ident(table)} drop column ${ident(column)}`);
}
