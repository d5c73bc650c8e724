import type { Transaction } from '../queryable.ts';
import { createTable } from './ddl.ts';
import type { LiveTable } from './live-table.ts';
import { planColumns } from './plan-columns.ts';
import { planChecks, planForeignKeys, planIndexes } from './plan-constraints.ts';
import { planLeftovers } from './plan-leftovers.ts';
import { readLiveTables } from './read-live-tables.ts';
import { findImpossible, refusalOf, runSteps } from './run-steps.ts';
import { changingSchema, type LockOptions } from './schema-lock.ts';
import type { Refusal, SchemaReport, Step } from './step.ts';
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
    const impossible = await findImpossible(tx, plan.steps);
    const steps = plan.steps.filter((step) => !impossible.has(step));
    const results = await runSteps(tx, steps, new Set(live.keys()), locks);
    const refused = [...plan.refused, ...[...impossible].map((step) => refusalOf(step)), ...results.refused];
    return { done: results.done, refused, lockRetries: locks.retries };
  });
}

interface SchemaPlan {
  readonly steps: readonly Step[];
  readonly refused: readonly Refusal[];
}

/** What must happen so that the database has what the models ask for: tables first, keys between them last. */
function planSchema(specs: readonly TableSpec[], live: ReadonlyMap<string, LiveTable>): SchemaPlan {
  const refused: Refusal[] = [];
  const shape: Step[] = [];
  const constraints: Step[] = [];
  const keys: Step[] = [];
  for (const table of specs) {
    const known = live.get(table.name);
    if (known && !known.isTable) {
      refused.push({ table: table.name, reason: 'is the name of something in the database that is not a table' });
      continue;
    }
    if (!known) shape.push({ table: table.name, statement: createTable(table), note: 'table added' });
    else {
      const columns = planColumns(table, known);
      refused.push(...columns.refused, ...primaryKeyRefusal(table, known));
      shape.push(...planLeftovers(table, known), ...columns.steps);
    }
    constraints.push(...planIndexes(table, known), ...planChecks(table, known));
    keys.push(...planForeignKeys(table, known));
  }
  return { steps: [...shape, ...constraints, ...keys], refused };
}

function primaryKeyRefusal(table: TableSpec, live: LiveTable): Refusal[] {
  const wanted = table.hasId ? ['id'] : table.primaryKey;
  if (!wanted || !live.columns.has(wanted[0] as string)) return [];
  const found = live.primaryKey ?? [];
  if ([...found].sort().join() === [...wanted].sort().join()) return [];
  const has = found.length > 0 ? `the primary key (${found.join(', ')})` : 'no primary key';
  return [
    { table: table.name, reason: `has ${has} where (${wanted.join(', ')}) is asked for; a migration must change it` },
  ];
}
