import { createTable } from './ddl.ts';
import type { LiveTable } from './live-table.ts';
import { planColumns } from './plan-columns.ts';
import { planChecks, planForeignKeys, planIndexes } from './plan-constraints.ts';
import { planLeftovers } from './plan-leftovers.ts';
import type { Refusal } from './schema-report.ts';
import type { Step } from './step.ts';
import type { TableSpec } from './table-spec.ts';

export interface SchemaPlan {
  readonly steps: readonly Step[];
  readonly refused: readonly Refusal[];
}

/** What must happen so that the database has what the models ask for: tables first, keys between them last. */
export function planSchema(specs: readonly TableSpec[], live: ReadonlyMap<string, LiveTable>): SchemaPlan {
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
