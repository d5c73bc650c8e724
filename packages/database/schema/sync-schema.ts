import type { Transaction } from '../queryable.ts';
import { ident, literal, sql, trustedSql } from '../sql/sql.ts';
import { isSameDefault, isSameType, isWidening } from './column-type.ts';
import { alterColumn, alterTable, columnDefinition, createTable, identity, inOneRoundTrip } from './ddl.ts';
import type { LiveColumn, LiveTable } from './live-table.ts';
import { planChecks, planForeignKeys, planIndexes } from './plan-constraints.ts';
import { planLeftovers } from './plan-leftovers.ts';
import { readLiveTables } from './read-live-tables.ts';
import { findImpossible, refusalOf, runSteps } from './run-steps.ts';
import { changingSchema, type LockOptions } from './schema-lock.ts';
import type { AwaitingColumn, Refusal, SchemaReport, Step } from './step.ts';
import type { ColumnSpec, TableSpec } from './table-spec.ts';

/**
 * Adds and widens until the database has what the tables declare; never drops data. Requires a read committed
 * transaction. If the schema already fits, it costs a handful of reads and changes nothing.
 */
export function syncSchema(
  tx: Transaction,
  specs: readonly TableSpec[],
  options: LockOptions & {
    /** Existing rows get values for new required columns afterwards, before `requireColumns`. */
    readonly valuesFollow?: boolean;
    /** What reads whole tables is left to `finishSchema`, so that nobody waits for it. */
    readonly scansLater?: boolean;
    /** Of new required columns, by `table.column`: existing rows get what the database itself fills them with, and keep it. */
    readonly filledByDatabase?: ReadonlySet<string>;
  } = {},
): Promise<SchemaReport> {
  return changingSchema(tx, options, async (locks) => {
    const names = specs.flatMap((table) => [table.name, ...table.foreignKeys.map((key) => key.table)]);
    const live = await readLiveTables(tx, [...new Set(names)]);
    const plan = planSchema(specs, live, options);
    const impossible = await findImpossible(tx, plan.steps);
    const steps = plan.steps.filter((step) => !impossible.has(step));
    const results = await runSteps(tx, steps, new Set(live.keys()), locks);
    const refused = [...plan.refused, ...[...impossible].map((step) => refusalOf(step)), ...results.refused];
    const report = { done: results.done, refused, lockRetries: locks.retries };
    return options.valuesFollow ? { ...report, awaiting: plan.awaiting } : report;
  });
}

type SyncOptions = NonNullable<Parameters<typeof syncSchema>[2]>;

interface SchemaPlan extends ColumnPlan {
  readonly steps: readonly Step[];
}

/** The steps that give the database what the models declare: tables first, keys between them last. */
function planSchema(
  specs: readonly TableSpec[],
  live: ReadonlyMap<string, LiveTable>,
  { valuesFollow = false, scansLater = false, filledByDatabase }: SyncOptions,
): SchemaPlan {
  const refused: Refusal[] = [];
  const awaiting: AwaitingColumn[] = [];
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
      const columns = planColumns(
        table,
        known,
        (column) => valuesFollow && !filledByDatabase?.has(`${table.name}.${column}`),
      );
      awaiting.push(...columns.awaiting);
      refused.push(...columns.refused, ...primaryKeyRefusal(table, known));
      shape.push(...planLeftovers(table, known), ...columns.steps);
    }
    constraints.push(...planIndexes(table, known, scansLater), ...planChecks(table, known));
    keys.push(...planForeignKeys(table, known, scansLater));
  }
  return { steps: [...shape, ...constraints, ...keys], refused, awaiting };
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

/** Why the rows of a column that is to be required do not allow it. */
const hasEmptyRows = 'has rows without a value and no default to give them, so it stays optional';

interface ColumnPlan {
  readonly steps: readonly Step[];
  readonly refused: readonly Refusal[];
  readonly awaiting: readonly AwaitingColumn[];
}

function planColumns(table: TableSpec, live: LiveTable, valueFollows: (column: string) => boolean): ColumnPlan {
  const steps: Step[] = [...planId(table, live)];
  const refused: Refusal[] = [];
  const awaiting: AwaitingColumn[] = [];
  for (const column of table.columns) {
    const known = live.columns.get(column.name);
    if (!known && valueFollows(column.name) && column.notNull && column.default === undefined) {
      steps.push(addEmptyColumn(table.name, column));
      awaiting.push({ table: table.name, column: column.name });
      continue;
    }
    if (!known) {
      steps.push(...addColumn(table.name, column));
      continue;
    }
    if (!isSameType(known.type, column.type)) {
      if (isWidening(known.type, column.type)) steps.push(widen(table.name, column, known));
      else refused.push({ table: table.name, column: column.name, reason: cannotBecome(known.type, column.type) });
    }
    steps.push(...planDefault(table.name, column, known), ...planNotNull(table, column, known));
  }
  return { steps, refused, awaiting };
}

function cannotBecome(from: string, to: string): string {
  return isWidening(to, from)
    ? `is ${from} and wider than the ${to} asked for; narrowing it could lose data`
    : `is ${from} and cannot become ${to} without losing data; a migration must convert it`;
}

function planId(table: TableSpec, live: LiveTable): Step[] {
  if (!table.hasId) return [];
  const known = live.columns.get('id');
  if (!known) {
    const statement = alterTable(table.name, sql`add column ${identity}`);
    return [{ table: table.name, column: 'id', statement, note: 'column added', refusal: 'cannot get a primary key' }];
  }
  if (known.isIdentity || known.default !== null) return [];
  const statement = inOneRoundTrip(
    alterColumn(table.name, 'id', sql`add generated by default as identity`),
    sql`select setval(pg_get_serial_sequence(quote_ident(${literal(table.name)}), 'id'), coalesce(max(id), 0) + 1, false)
      from ${ident(table.name)}`,
  );
  return [{ table: table.name, column: 'id', statement, note: 'numbered by the database' }];
}

/** A new required column keeps its default, so that a process with the older registry can still insert. */
function addColumn(table: string, column: ColumnSpec): Step[] {
  const value = column.default ?? column.backfill;
  if (!column.notNull || value !== undefined) {
    const whole = value === undefined ? column : { ...column, default: value };
    const statement = alterTable(table, sql`add column ${columnDefinition(whole)}`);
    return [{ table, column: column.name, statement, note: `column added (${column.type})` }];
  }
  const statement = alterTable(table, sql`add column ${columnDefinition({ ...column, notNull: false })}`);
  return [
    { table, column: column.name, statement, note: `column added (${column.type})` },
    require(table, column, false),
  ];
}

/** The default is for processes with the older registry: existing rows stay empty. */
function addEmptyColumn(table: string, column: ColumnSpec): Step {
  const add = alterTable(table, sql`add column ${columnDefinition({ ...column, notNull: false })}`);
  const statement =
    column.backfill === undefined
      ? add
      : inOneRoundTrip(add, alterColumn(table, column.name, sql`set default ${trustedSql(column.backfill)}`));
  return { table, column: column.name, statement, note: `column added (${column.type})` };
}

/** Requires values in columns that awaited them; returns those with empty rows, which stay optional. */
export async function requireColumns(
  tx: Transaction,
  columns: readonly AwaitingColumn[],
): Promise<readonly AwaitingColumn[]> {
  const steps = columns.map(({ table, column }) => require(table, { name: column, type: '', notNull: true }, true));
  const impossible = await findImpossible(tx, steps);
  for (const step of steps) if (!impossible.has(step)) await tx.execute(step.statement);
  return columns.filter((_, index) => impossible.has(steps[index] as Step));
}

function require(table: string, column: ColumnSpec, isLive: boolean): Step {
  const setNotNull = alterColumn(table, column.name, sql`set not null`);
  const statement =
    column.default === undefined
      ? setNotNull
      : inOneRoundTrip(
          sql`update ${ident(table)} set ${ident(column.name)} = ${trustedSql(column.default)}
            where ${ident(column.name)} is null`,
          setNotNull,
        );
  const needsValues = isLive && column.default === undefined;
  return { table, column: column.name, statement, note: 'now required', refusal: hasEmptyRows, needsValues };
}

function widen(table: string, column: ColumnSpec, known: LiveColumn): Step {
  const type = trustedSql(column.type);
  return {
    table,
    column: column.name,
    statement: alterColumn(table, column.name, sql`type ${type} using ${ident(column.name)}::${type}`),
    note: `widened from ${known.type} to ${column.type}`,
    refusal: `could not be widened from ${known.type} to ${column.type}`,
  };
}

/** A default that the models no longer declare stays: the ORM names every value it inserts. */
function planDefault(table: string, column: ColumnSpec, known: LiveColumn): Step[] {
  if (column.default === undefined || isSameDefault(known.default, column.default)) return [];
  const statement = alterColumn(table, column.name, sql`set default ${trustedSql(column.default)}`);
  return [{ table, column: column.name, statement, note: `default is now ${column.default}` }];
}

function planNotNull(table: TableSpec, column: ColumnSpec, known: LiveColumn): Step[] {
  if (column.notNull === known.notNull) return [];
  if (column.notNull) return [require(table.name, column, true)];
  if (table.primaryKey?.includes(column.name)) return [];
  const statement = alterColumn(table.name, column.name, sql`drop not null`);
  return [{ table: table.name, column: column.name, statement, note: 'no longer required' }];
}
