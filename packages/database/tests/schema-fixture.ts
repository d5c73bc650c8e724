import { type ColumnSpec, type Database, sql, type TableSpec } from '../index.ts';

export function column(name: string, type: string, rest: Partial<ColumnSpec> = {}): ColumnSpec {
  return { name, type, notNull: false, ...rest };
}

export function table(name: string, columns: readonly ColumnSpec[], rest: Partial<TableSpec> = {}): TableSpec {
  return { name, hasId: true, columns, foreignKeys: [], indexes: [], checks: [], ...rest };
}

interface LiveColumn {
  readonly type: string;
  readonly required: boolean;
  readonly value: string | null;
}

/** One column as the catalogue has it. */
export async function columnOf(database: Database, of: string, name: string): Promise<LiveColumn | undefined> {
  const [found] = await database.query<LiveColumn>(sql`
    select format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required, pg_get_expr(d.adbin, d.adrelid) as value
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = to_regclass(${of}) and a.attname = ${name} and not a.attisdropped`);
  return found;
}

/** What a foreign key does when its target goes: `r`, `c`, `n`. */
export async function onDeleteOf(database: Database, key: string): Promise<string | undefined> {
  const [found] = await database.query<{ action: string }>(
    sql`select confdeltype::text as action from pg_constraint where conname = ${key}`,
  );
  return found?.action;
}
