import { empty, ident, join, type Queryable, type Sql, sql, type Transaction } from '@kontor/database';

/** Rows of remaining tables, put aside while a module is uninstalled; dropped when empty. */
export const parkedRows = 'kontor_parked_row';

export async function makeParkedRows(tx: Transaction): Promise<void> {
  await tx.execute(sql`create table if not exists ${ident(parkedRows)} (
    module text not null, source text not null, content jsonb not null)`);
}

export async function hasParkedRows(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ is_there: boolean }>(sql`select to_regclass(${parkedRows}) is not null as is_there`);
  return row?.is_there ?? false;
}

export async function dropWhenEmpty(tx: Transaction): Promise<void> {
  const rows = await tx.query(sql`select 1 as found from ${ident(parkedRows)} limit 1`);
  if (rows.length === 0) await tx.execute(sql`drop table ${ident(parkedRows)}`);
}

/** A foreign key by which the database deletes rows (`c`) or empties a column (`n`) when the other row is deleted. */
interface ForeignKey {
  readonly table: string;
  readonly column: string;
  readonly target: string;
  readonly action: 'c' | 'n';
  readonly has_id: boolean;
}

/**
 * Puts rows aside unchanged, with everything that the database deletes or empties with them: dependent rows, links, and
 * columns that refer to them, also in parked tables.
 */
export async function parkRowsOf(
  tx: Transaction,
  module: string,
  roots: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  await makeParkedRows(tx);
  const keys = await readForeignKeys(tx);
  const seen = new Map<string, Set<number>>();
  let front = roots;
  for (let level = 0; front.size > 0; level += 1) {
    const next = new Map<string, number[]>();
    for (const [table, ids] of front) {
      const known = seen.get(table) ?? new Set<number>();
      const fresh = ids.filter((id) => !known.has(id));
      seen.set(table, new Set([...known, ...fresh]));
      if (fresh.length === 0) continue;
      await park(tx, module, { table, level, where: sql`t.id = any(${fresh}::int4[])` });
      for (const key of keys.filter((each) => each.target === table)) {
        const where = sql`t.${ident(key.column)} = any(${fresh}::int4[])`;
        if (key.action === 'n') await parkColumn(tx, module, key, where);
        else if (!key.has_id) await park(tx, module, { table: key.table, level: lastLevel, where });
        else next.set(key.table, [...(next.get(key.table) ?? []), ...(await idsWhere(tx, key.table, where))]);
      }
    }
    front = next;
  }
}

/** Links are restored last: they refer to rows of both sides. */
const lastLevel = 1_000_000;

async function readForeignKeys(db: Queryable): Promise<readonly ForeignKey[]> {
  return db.query<ForeignKey & Record<string, never>>(sql`
    select child.relname::text as table, a.attname::text as column, target.relname::text as target,
      c.confdeltype::text as action,
      exists (select from pg_attribute i where i.attrelid = child.oid and i.attname = 'id' and not i.attisdropped) as has_id
    from pg_constraint c
      join pg_class child on child.oid = c.conrelid
      join pg_class target on target.oid = c.confrelid
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and cardinality(c.conkey) = 1 and c.confdeltype in ('c', 'n')
      and child.relnamespace = current_schema()::regnamespace
    order by 1, 2`);
}

async function park(
  tx: Transaction,
  module: string,
  { table, level, where }: { readonly table: string; readonly level: number; readonly where: Sql },
): Promise<void> {
  await tx.execute(sql`
    insert into ${ident(parkedRows)} (module, source, content)
    select ${module}, 'row', jsonb_build_object('level', ${level}::int4, 'table', ${table}::text, 'row', to_jsonb(t))
    from ${ident(table)} t where ${where}`);
}

async function parkColumn(tx: Transaction, module: string, key: ForeignKey, where: Sql): Promise<void> {
  if (!key.has_id) return;
  const { table, column, target } = key;
  await tx.execute(sql`
    insert into ${ident(parkedRows)} (module, source, content)
    select ${module}, 'column', jsonb_build_object('table', ${table}::text, 'column', ${column}::text,
      'target', ${target}::text, 'id', t.id, 'value', t.${ident(column)})
    from ${ident(table)} t where ${where}`);
}

async function idsWhere(tx: Transaction, table: string, where: Sql): Promise<readonly number[]> {
  const rows = await tx.arrays(sql`select t.id from ${ident(table)} t where ${where} order by t.id`);
  return rows.map(([id]) => id as number);
}

/** Rows of one table that are restored together. */
interface Batch {
  readonly table: string;
  readonly where: Sql;
}

/**
 * Restores the rows of a module under their ids, and columns that lost their value. Rows without a place (their owner is gone, or
 * another row has their unique value) are left out. Returns the ids by table.
 */
export async function putRowsBack(tx: Transaction, module: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const back = new Map<string, number[]>();
  const isOwn = sql`p.module = ${module} and p.source = 'row'`;
  const groups = await tx.query<{ level: number; name: string }>(sql`
    select distinct (content->>'level')::int4 as level, content->>'table' as name
    from ${ident(parkedRows)} p where ${isOwn} order by 1, 2`);
  const whole = groups.map(({ level, name }) => {
    const where = sql`${isOwn} and p.content->>'table' = ${name} and (p.content->>'level')::int4 = ${level}::int4`;
    return { table: name, where };
  });
  const left = await putAll(tx, whole, back);
  const single: Batch[] = [];
  for (const { table, where } of left) {
    const rows = await tx.query<{ at: string }>(
      sql`select p.ctid::text as at from ${ident(parkedRows)} p where ${where}`,
    );
    single.push(...rows.map(({ at }) => ({ table, where: sql`p.ctid = ${at}::tid` })));
  }
  await putAll(tx, single, back);
  await putColumnsBack(tx, module);
  await tx.execute(sql`delete from ${ident(parkedRows)} where module = ${module} and source in ('row', 'column')`);
  return back;
}

/** Restores batches until none is left that can be: a batch may refer to another. Returns the remaining ones. */
async function putAll(
  tx: Transaction,
  batches: readonly Batch[],
  back: Map<string, number[]>,
): Promise<readonly Batch[]> {
  let left = batches;
  for (;;) {
    const failed: Batch[] = [];
    for (const batch of left) {
      const ids = await tx.savepoint(() => putBack(tx, batch)).catch(() => null);
      if (ids === null) failed.push(batch);
      else back.set(batch.table, [...(back.get(batch.table) ?? []), ...ids]);
    }
    if (failed.length === 0 || failed.length === left.length) return failed;
    left = failed;
  }
}

async function putBack(tx: Transaction, { table, where }: Batch): Promise<readonly number[]> {
  const columns = await tx.query<{ name: string }>(sql`
    select a.attname::text as name from pg_attribute a
    where a.attrelid = to_regclass(quote_ident(${table})) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and exists (select from ${ident(parkedRows)} p where ${where} and p.content->'row' ? a.attname)
    order by a.attnum`);
  const deferrable = await deferrableConstraints(tx, table);
  // PostgreSQL skips no rows for a constraint that it may check later: it is checked at once, and each row by itself.
  const onConflict = deferrable.length === 0 ? sql`on conflict do nothing` : empty;
  const names = columns.map(({ name }) => ident(name));
  const hasId = columns.some(({ name }) => name === 'id');
  const rows = await tx.arrays(sql`
    insert into ${ident(table)} (${join(names)}) overriding system value
    select ${join(names.map((name) => sql`old.${name}`))} from ${ident(parkedRows)} p,
      jsonb_populate_record(null::${ident(table)}, p.content->'row') as old
    where ${where} ${onConflict} returning ${hasId ? sql`id` : sql`null`}`);
  if (deferrable.length > 0)
    await tx.execute(sql`set constraints ${join(deferrable.map((name) => ident(name)))} immediate`);
  return hasId ? rows.map(([id]) => id as number) : [];
}

async function deferrableConstraints(tx: Transaction, table: string): Promise<readonly string[]> {
  const rows = await tx.query<{ name: string }>(sql`
    select conname::text as name from pg_constraint
    where conrelid = to_regclass(quote_ident(${table})) and condeferrable and contype in ('u', 'x', 'p') order by 1`);
  return rows.map(({ name }) => name);
}

async function putColumnsBack(tx: Transaction, module: string): Promise<void> {
  const isOwn = sql`p.module = ${module} and p.source = 'column'`;
  const columns = await tx.query<{ table: string; column: string; target: string }>(sql`
    select distinct p.content->>'table' as table, p.content->>'column' as column, p.content->>'target' as target
    from ${ident(parkedRows)} p where ${isOwn}`);
  for (const { table, column, target } of columns) {
    const name = ident(column);
    await tx.execute(sql`
      update ${ident(table)} t set ${name} = (p.content->>'value')::int4 from ${ident(parkedRows)} p
      where ${isOwn} and p.content->>'table' = ${table} and p.content->>'column' = ${column}
        and t.id = (p.content->>'id')::int4 and t.${name} is null
        and exists (select from ${ident(target)} o where o.id = (p.content->>'value')::int4)`);
  }
}
