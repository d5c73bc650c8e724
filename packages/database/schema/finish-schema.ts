import type { Queryable } from '../queryable.ts';
import { ident, sql } from '../sql/sql.ts';
import { alterTable, createIndexBeside } from './ddl.ts';
import { isSameIndex } from './plan-constraints.ts';
import { readLiveTables } from './read-live-tables.ts';
import type { TableSpec } from './table-spec.ts';

/**
 * Makes the indexes and validates the keys that a sync with `scansLater` left out, one statement each, without keeping writers waiting. It
 * can stop at any point and be called again; returns what it did. `db` must not be in a transaction.
 */
export async function finishSchema(
  db: Queryable,
  specs: readonly TableSpec[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const live = await readLiveTables(
    db,
    specs.map(({ name }) => name),
  );
  const done: string[] = [];
  for (const table of specs) {
    const known = live.get(table.name);
    if (!known?.isTable) continue;
    for (const index of table.indexes) {
      if (signal?.aborted) return done;
      const found = known.indexes.get(index.name);
      // An index with a condition has a fingerprint, and is made with its table.
      if (index.unique || index.where !== undefined || (found && (isSameIndex(found, index) || found.isValid)))
        continue;
      // One that a crash left behind is of no use.
      if (found) await db.execute(sql`drop index concurrently ${ident(index.name)}`);
      await db.execute(createIndexBeside(table.name, index));
      done.push(`${table.name}: index ${index.name} added`);
    }
  }
  for (const { table, name } of await unvalidatedKeys(db, specs)) {
    if (signal?.aborted) return done;
    await db.execute(alterTable(table, sql`validate constraint ${ident(name)}`));
    done.push(`${table}: ${name} validated`);
  }
  return done;
}

function unvalidatedKeys(db: Queryable, specs: readonly TableSpec[]) {
  return db.query<{ table: string; name: string }>(sql`
    select c.relname as table, k.conname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = current_schema()::regnamespace and k.contype = 'f' and not k.convalidated
      and c.relname = any(${specs.map(({ name }) => name)}::text[]) order by 1, 2`);
}
