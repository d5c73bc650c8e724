import type { Transaction } from '../queryable.ts';
import { planSchema } from './plan-schema.ts';
import { readLiveTables } from './read-live-tables.ts';
import { findDoomed, refusalOf, runSteps } from './run-steps.ts';
import { changingSchema, type LockOptions } from './schema-lock.ts';
import type { SchemaReport } from './schema-report.ts';
import type { TableSpec } from './table-spec.ts';

/**
 * Adds and widens until the database has what the tables ask for; never drops data. Needs a read committed transaction.
 * A schema that already fits costs a handful of reads and changes nothing.
 */
export function syncSchema(
  tx: Transaction,
  specs: readonly TableSpec[],
  options: LockOptions = {},
): Promise<SchemaReport> {
  return changingSchema(tx, options, async (locks) => {
    const names = specs.flatMap((table) => [table.name, ...table.foreignKeys.map((key) => key.table)]);
    const live = await readLiveTables(tx, [...new Set(names)]);
    const plan = planSchema(specs, live);
    const doomed = await findDoomed(tx, plan.steps);
    const steps = plan.steps.filter((step) => !doomed.has(step));
    const results = await runSteps(tx, steps, new Set(live.keys()), locks);
    const refused = [...plan.refused, ...[...doomed].map((step) => refusalOf(step)), ...results.refused];
    return { done: results.done, refused, lockRetries: locks.retries };
  });
}
