import { ident, sql } from '../sql/sql.ts';
import { alterColumn, dropConstraint } from './ddl.ts';
import type { LiveForeignKey, LiveTable } from './live-table.ts';
import { replaceForeignKey } from './plan-constraints.ts';
import type { Step } from './step.ts';
import type { TableSpec } from './table-spec.ts';

/** Our own names end like this; constraints that a migration created under another name are left alone. */
const ownUnique = /(_unique|_[0-9a-f]{8})$/;
const ownForeignKey = /_fk$/;
const ownExclusion = /_excl$/;

/**
 * Columns, keys and indexes that models no longer declare keep their data but must not interfere: a required column would reject
 * every insert, a restricting key deletions, and a unique index values that are now allowed.
 */
export function planLeftovers(table: TableSpec, live: LiveTable): Step[] {
  const wanted = new Set(table.columns.map((column) => column.name));
  if (table.hasId) wanted.add('id');
  const left = [...live.columns.keys()].filter((name) => !wanted.has(name));
  const indexes = new Set(table.indexes.map((index) => index.name));
  const keys = new Set(table.foreignKeys.map((key) => key.name));
  const steps = relaxColumns(live, left);
  for (const index of live.indexes.values()) {
    const isGone = index.unique && !index.isConstraint && ownUnique.test(index.name) && !indexes.has(index.name);
    if (isGone && !touches(index.columns, left)) steps.push(dropUnique(table.name, index.name));
  }
  for (const key of live.foreignKeys.values()) {
    if (keys.has(key.name) || !ownForeignKey.test(key.name) || touches(key.columns, left)) continue;
    const statement = dropConstraint(table.name, key.name);
    steps.push({ table: table.name, statement, note: `foreign key ${key.name} no longer applies` });
  }
  const exclusions = new Set(table.exclusions?.map(({ name }) => name));
  for (const name of live.checks.keys()) {
    if (!ownExclusion.test(name) || exclusions.has(name)) continue;
    steps.push({
      table: table.name,
      statement: dropConstraint(table.name, name),
      note: `exclusion ${name} no longer applies`,
    });
  }
  return steps;
}

/** Steps that keep the rest of a table usable while these columns are out of use. */
export function relaxColumns(live: LiveTable, columns: readonly string[]): Step[] {
  const steps: Step[] = [];
  for (const name of columns) {
    const column = live.columns.get(name);
    if (!column?.notNull || column.isIdentity || live.primaryKey?.includes(name)) continue;
    const statement = alterColumn(live.name, name, sql`drop not null`);
    steps.push({ table: live.name, column: name, statement, note: 'kept, no longer required' });
  }
  for (const index of live.indexes.values()) {
    if (index.unique && !index.isPrimary && !index.isConstraint && touches(index.columns, columns)) {
      steps.push(dropUnique(live.name, index.name));
    }
  }
  for (const key of live.foreignKeys.values()) {
    if (touches(key.columns, columns)) steps.push(...relaxForeignKey(live, key));
  }
  return steps;
}

/**
 * Deleting the referenced record empties the column, which keeps the rest of the row and leaves no dangling reference.
 */
export function relaxForeignKey(live: LiveTable, key: LiveForeignKey): Step[] {
  const [column] = key.columns;
  if (key.columns.length !== 1 || key.onDelete === 'set null' || !column || live.primaryKey?.includes(column))
    return [];
  const step = replaceForeignKey(live.name, { name: key.name, column, table: key.table, onDelete: 'set null' }, true);
  return [{ ...step, note: `foreign key to ${key.table} no longer restricts` }];
}

function dropUnique(table: string, index: string): Step {
  return { table, statement: sql`drop index ${ident(index)}`, note: `unique index ${index} no longer applies` };
}

/** Whether one of the columns (`date desc` among them) is in the list. */
function touches(columns: readonly string[], list: readonly string[]): boolean {
  return columns.some((column) => list.includes(column.replace(/ desc$/, '')));
}
