import type { Transaction } from '../queryable.ts';
import type { LiveTable } from './live-table.ts';
import { relaxColumns, relaxForeignKey } from './plan-leftovers.ts';
import { readLiveTables } from './read-live-tables.ts';
import { runSteps } from './run-steps.ts';
import { changingSchema, type LockOptions } from './schema-lock.ts';
import type { SchemaReport, Step } from './step.ts';

/**
 * Columns of an uninstalled module in a table that stays: they keep their data and lose not null, unique indexes and
 * restricting keys, so that the table remains usable. A later sync restores all of it.
 */
export function parkColumns(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  options: LockOptions = {},
): Promise<SchemaReport> {
  return park(tx, table, options, (live) => relaxColumns(live, columns));
}

/**
 * A table of an uninstalled module: it is not written any more, so its unique indexes may stay; but it must not prevent the
 * deletion of a record in another table. Rows that belong to such a record are still deleted with it.
 */
export function parkTable(tx: Transaction, table: string, options: LockOptions = {}): Promise<SchemaReport> {
  return park(tx, table, options, (live) => {
    const withoutKeys: LiveTable = { ...live, indexes: new Map(), foreignKeys: new Map() };
    const keys = [...live.foreignKeys.values()].filter((key) => key.onDelete !== 'cascade');
    return [
      ...relaxColumns(withoutKeys, [...live.columns.keys()]),
      ...keys.flatMap((key) => relaxForeignKey(live, key)),
    ];
  });
}

function park(
  tx: Transaction,
  table: string,
  options: LockOptions,
  plan: (live: LiveTable) => readonly Step[],
): Promise<SchemaReport> {
  return changingSchema(tx, options, async (locks) => {
    const live = (await readLiveTables(tx, [table])).get(table);
    if (!live?.isTable) return { done: [], refused: [], lockRetries: locks.retries };
    const steps = plan(live);
    const targets = steps.flatMap((step) => step.beside ?? []);
    const results = await runSteps(tx, steps, new Set([table, ...targets]), locks);
    return { ...results, lockRetries: locks.retries };
  });
}
