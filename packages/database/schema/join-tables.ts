import type { Queryable, Transaction } from '../queryable.ts';
import { ident, join, type Sql, sql, trustedSql } from '../sql/sql.ts';
import { alterColumn, alterTable, dropConstraint, inOneRoundTrip } from './ddl.ts';
import type { LiveTable } from './live-table.ts';
import { readLiveTables } from './read-live-tables.ts';
import type { TableRename } from './rename.ts';
import { changingSchema, type LockOptions } from './schema-lock.ts';

export interface JoinedTable {
  readonly from: string;
  readonly to: string;
  /** The id that each row of the earlier table has now. */
  readonly ids: ReadonlyMap<number, number>;
}

interface Join {
  readonly from: LiveTable;
  readonly to: LiveTable;
  readonly by: readonly string[];
  /** The column of the later table for each of the earlier one. */
  readonly columns: ReadonlyMap<string, string>;
}

/**
 * Joins the rows of an earlier table with those of its successor, where a database has both, and drops the earlier table. Rows with equal
 * keys become one, which keeps its values and takes those that it lacks. Foreign keys follow; a later sync declares them again.
 */
export function joinTables(
  tx: Transaction,
  renames: readonly TableRename[],
  options: LockOptions = {},
): Promise<readonly JoinedTable[]> {
  if (renames.every(({ joinedBy }) => joinedBy === undefined)) return Promise.resolve([]);
  return changingSchema(tx, options, async (locks) => {
    const joined: JoinedTable[] = [];
    for (const each of await findJoins(tx, renames)) {
      const keys = await keysTo(tx, each.from.name);
      await locks.takeTables([...new Set([each.to.name, each.from.name, ...keys.map(({ table }) => table)])], []);
      joined.push(await joinOne(tx, each, keys));
    }
    return joined;
  });
}

/** Joins that `joinTables` would make. */
export async function dueJoins(db: Queryable, renames: readonly TableRename[]): Promise<string[]> {
  return (await findJoins(db, renames)).map(({ from, to }) => `${from.name}: joined with ${to.name}`);
}

async function findJoins(db: Queryable, renames: readonly TableRename[]): Promise<Join[]> {
  const wanted = renames.filter(({ joinedBy }) => joinedBy !== undefined);
  const live = await readLiveTables(db, [...new Set(wanted.flatMap(({ to, from }) => [to, ...from]))]);
  return wanted.flatMap(({ to, from: names, columns, joinedBy: by = [] }) => {
    const target = live.get(to);
    if (!target?.isTable) return [];
    return names.flatMap((name) => {
      const from = live.get(name);
      if (!from?.isTable) return [];
      const later = new Map(columns.flatMap((column) => column.from.map((old) => [old, column.to] as const)));
      const own = [...from.columns.keys()].filter((column) => column !== 'id');
      return [{ from, to: target, by, columns: new Map(own.map((column) => [column, later.get(column) ?? column])) }];
    });
  });
}

async function joinOne(tx: Transaction, each: Join, keys: readonly Key[]): Promise<JoinedTable> {
  const [from, to] = [each.from.name, each.to.name];
  const room = makeRoom(each);
  if (room.length > 0) await tx.execute(inOneRoundTrip(...room));
  const pairs = await pairRows(tx, each);
  for (const key of keys) await moveKey(tx, key, pairs);
  const [same, others] = [pairs.filter(({ isSame }) => isSame), pairs.filter(({ isSame }) => !isSame)];
  const columns = [...each.columns];
  const filled = columns.map(([old, column]) => {
    const [mine, theirs] = [ident('t', column), ident('f', old)];
    const value = column === 'active' ? sql`${mine} or ${theirs}` : sql`coalesce(${mine}, ${theirs})`;
    return sql`${ident(column)} = ${value}`;
  });
  await tx.execute(sql`update ${ident(to)} t set ${join(filled)}
    from ${movedTo(same)} join ${ident(from)} f on f.id = m.old where t.id = m.new`);
  await tx.execute(sql`insert into ${ident(to)} (id, ${join(columns.map(([, column]) => ident(column)))})
    select m.new, ${join(columns.map(([old]) => ident('f', old)))} from ${movedTo(others)} join ${ident(from)} f on f.id = m.old`);
  await tx.execute(sql`drop table ${ident(from)}`);
  return { from, to, ids: new Map(pairs.map((pair) => [pair.old, pair.new])) };
}

/** Columns of the earlier table that the later one lacks; and no requirements until the sync declares them again. */
function makeRoom({ from, to, columns }: Join): Sql[] {
  const missing = [...columns].filter(([, column]) => !to.columns.has(column));
  const required = [...to.columns.values()].filter(({ name, notNull }) => notNull && name !== 'id');
  return [
    ...missing.map(([old, column]) => {
      const type = trustedSql(from.columns.get(old)?.type as string);
      return alterTable(to.name, sql`add column if not exists ${ident(column)} ${type}`);
    }),
    ...required.map(({ name }) => alterColumn(to.name, name, sql`drop not null`)),
  ];
}

interface Pair {
  readonly old: number;
  readonly new: number;
  readonly isSame: boolean;
}

/** Each row of the earlier table with its equal, one to one, or with a new id. */
function pairRows(tx: Transaction, { from, to, by, columns }: Join): Promise<Pair[]> {
  const old = (column: string) => [...columns].find(([, later]) => later === column)?.[0] ?? column;
  const numbered = (table: string, names: readonly string[]) => {
    const keys = names.map((name, index) => sql`${ident(name)} as ${ident(`key_${index}`)}`);
    return sql`select id, ${join(keys)}, row_number() over (partition by ${join(names.map((name) => ident(name)))} order by id) as nth
      from ${ident(table)}`;
  };
  const equal = by.map((_, index) => {
    const key = `key_${index}`;
    return sql`${ident('f', key)} is not distinct from ${ident('t', key)}`;
  });
  return tx.query<Pair>(sql`
    select f.id as old, t.id is not null as "isSame",
      coalesce(t.id, nextval(pg_get_serial_sequence(quote_ident(${to.name}), 'id'))::integer) as new
    from (${numbered(from.name, by.map(old))}) f
    left join (${numbered(to.name, by)}) t on f.nth = t.nth and ${join(equal, sql` and `)}
    order by f.id`);
}

interface Key {
  readonly table: string;
  readonly name: string;
  readonly column: string;
}

function keysTo(db: Queryable, table: string): Promise<Key[]> {
  return db.query<Key>(sql`
    select c.relname as table, k.conname as name, a.attname as column
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid = to_regclass(quote_ident(${table})) order by 1, 2`);
}

/** By way of negative numbers: an id can be both old and new, and keys of links are unique at every moment. */
async function moveKey(tx: Transaction, { table, name, column }: Key, pairs: readonly Pair[]): Promise<void> {
  const [target, at] = [ident(table), ident(column)];
  await tx.execute(dropConstraint(table, name));
  await tx.execute(
    sql`update ${target} r set ${at} = -m.new from ${movedTo(pairs)} where ${ident('r', column)} = m.old`,
  );
  await tx.execute(sql`update ${target} set ${at} = -${at} where ${at} < 0`);
}

function movedTo(pairs: readonly Pair[]): Sql {
  const [old, now] = [pairs.map((pair) => pair.old), pairs.map((pair) => pair.new)];
  return sql`unnest(${old}::integer[], ${now}::integer[]) as m(old, new)`;
}
