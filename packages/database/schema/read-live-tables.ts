import type { Queryable } from '../queryable.ts';
import { sql } from '../sql/sql.ts';
import type { LiveColumn, LiveForeignKey, LiveIndex, LiveTable } from './live-table.ts';

interface ColumnRow {
  readonly table: string;
  readonly kind: string;
  readonly columns: string;
}
interface ConstraintRow {
  readonly table: string;
  readonly name: string;
  readonly kind: string;
  readonly columns: string;
  readonly target: string | null;
  readonly on_delete: string;
  readonly comment: string | null;
}
interface IndexRow extends Omit<LiveIndex, 'columns'> {
  readonly table: string;
  readonly columns: string;
}

const onDelete: Readonly<Record<string, LiveForeignKey['onDelete']>> = {
  a: 'no action',
  r: 'restrict',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
};

/** The current definitions of the named tables, in three statements for any number of them. */
export async function readLiveTables(db: Queryable, names: readonly string[]): Promise<Map<string, LiveTable>> {
  const tables = await readColumns(db, names);
  const constraints = await readConstraints(db, names);
  const indexes = await readIndexes(db, names);
  const live = new Map<string, LiveTable>();
  for (const { table, kind, columns } of tables) {
    const own = constraints.filter((row) => row.table === table);
    const primary = own.find((row) => row.kind === 'p');
    live.set(table, {
      name: table,
      isTable: kind === 'r' || kind === 'p',
      columns: byName(JSON.parse(columns) as LiveColumn[]),
      primaryKey: primary ? JSON.parse(primary.columns) : null,
      foreignKeys: byName(own.filter((row) => row.kind === 'f').map(toForeignKey)),
      indexes: byName(indexes.filter((row) => row.table === table).map(toIndex)),
      checks: new Map(own.filter((row) => row.kind === 'c' || row.kind === 'x').map((row) => [row.name, row.comment])),
    });
  }
  return live;
}

function readColumns(db: Queryable, names: readonly string[]): Promise<ColumnRow[]> {
  return db.query<ColumnRow>(sql`
    select c.relname as table, c.relkind::text as kind, coalesce((
      select json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'notNull', a.attnotnull,
        'isIdentity', a.attidentity <> '', 'default', pg_get_expr(d.adbin, d.adrelid)) order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]')::text as columns
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'i')
      and c.relname = any(${names}::text[])`);
}

function readConstraints(db: Queryable, names: readonly string[]): Promise<ConstraintRow[]> {
  return db.query<ConstraintRow>(sql`
    select c.relname as table, k.conname as name, k.contype::text as kind, t.relname as target,
      k.confdeltype::text as on_delete, obj_description(k.oid, 'pg_constraint') as comment,
      array_to_json(array(
        select a.attname from unnest(k.conkey) with ordinality u(attnum, position)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.attnum order by u.position))::text as columns
    from pg_constraint k join pg_class c on c.oid = k.conrelid left join pg_class t on t.oid = k.confrelid
    where c.relnamespace = current_schema()::regnamespace and k.contype in ('p', 'f', 'c', 'x')
      and c.relname = any(${names}::text[])`);
}

function readIndexes(db: Queryable, names: readonly string[]): Promise<IndexRow[]> {
  return db.query<IndexRow>(sql`
    select c.relname as table, i.relname as name, x.indisunique as unique, x.indisvalid as "isValid",
      x.indisprimary as "isPrimary", m.amname as method, x.indpred is not null as "isPartial",
      exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))
        as "isConstraint",
      obj_description(i.oid, 'pg_class') as comment,
      array_to_json(array(
        select coalesce(a.attname, pg_get_indexdef(x.indexrelid, p.position, true))
          || case when x.indoption[p.position - 1] & 1 = 1 then ' desc' else '' end
        from generate_series(1, x.indnkeyatts) p(position)
        left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[p.position - 1] and a.attnum > 0
        order by p.position))::text as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    join pg_am m on m.oid = i.relam
    where c.relnamespace = current_schema()::regnamespace and c.relname = any(${names}::text[])`);
}

function toForeignKey(row: ConstraintRow): LiveForeignKey {
  return {
    name: row.name,
    columns: JSON.parse(row.columns),
    table: row.target as string,
    onDelete: onDelete[row.on_delete] as LiveForeignKey['onDelete'],
  };
}

function toIndex({ table: _, columns, ...index }: IndexRow): LiveIndex {
  return { ...index, columns: JSON.parse(columns) };
}

function byName<T extends { readonly name: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}
