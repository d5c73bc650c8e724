import type { Queryable, Transaction } from '../queryable.ts';
import { ident, type Sql, sql } from '../sql/sql.ts';
import { alterTable, inOneRoundTrip } from './ddl.ts';
import type { LiveTable } from './live-table.ts';
import { isSameForeignKey, isSameIndex } from './plan-constraints.ts';
import { readLiveTables } from './read-live-tables.ts';
import { changingSchema, type LockOptions } from './schema-lock.ts';
import type { TableSpec } from './table-spec.ts';

/** A table or a column that had other names before, the last one first. */
export interface Rename {
  readonly to: string;
  readonly from: readonly string[];
}
export interface TableRename extends Rename {
  readonly columns: readonly Rename[];
  /** If the table and an earlier one both exist, their rows are joined: those with equal values of these columns become one. */
  readonly joinedBy?: readonly string[];
}

/**
 * Renames tables and columns to the names that the models use now, if they still exist under an older one, together
 * with their indexes and keys. Returns one line for each.
 */
export function renameSchema(
  tx: Transaction,
  renames: readonly TableRename[],
  specs: readonly TableSpec[],
  options: LockOptions = {},
): Promise<string[]> {
  if (renames.length === 0) return Promise.resolve([]);
  return changingSchema(tx, options, async (locks) => {
    const live = await readLiveTables(tx, [...new Set(renames.flatMap(({ to, from }) => [to, ...from]))]);
    const plans = renames.flatMap((rename) => planRename(rename, live) ?? []);
    if (plans.length === 0) return [];
    await locks.takeTables([...new Set(plans.map(({ table }) => table))], []);
    await tx.execute(inOneRoundTrip(...plans.flatMap(({ statements }) => statements)));
    const renamed = new Set(plans.map(({ name }) => name));
    const ownNames = await planNames(
      tx,
      specs.filter(({ name }) => renamed.has(name)),
    );
    if (ownNames.length > 0) await tx.execute(inOneRoundTrip(...ownNames));
    return plans.flatMap(({ notes }) => notes);
  });
}

/** Renames that `renameSchema` would make. */
export async function dueRenames(db: Queryable, renames: readonly TableRename[]): Promise<string[]> {
  const live = await readLiveTables(db, [...new Set(renames.flatMap(({ to, from }) => [to, ...from]))]);
  return renames.flatMap((rename) => planRename(rename, live)?.notes ?? []);
}

interface RenamePlan {
  /** The current name of the table, and its new one. */
  readonly table: string;
  readonly name: string;
  readonly statements: readonly Sql[];
  readonly notes: readonly string[];
}

function planRename({ to, from, columns }: TableRename, live: ReadonlyMap<string, LiveTable>): RenamePlan | null {
  const table = live.has(to) ? to : from.find((name) => live.get(name)?.isTable);
  const known = table === undefined ? undefined : live.get(table);
  if (table === undefined || !known?.isTable) return null;
  const moved = columns.flatMap((column) => {
    const old = known.columns.has(column.to) ? undefined : column.from.find((name) => known.columns.has(name));
    return old === undefined ? [] : [{ old, to: column.to }];
  });
  if (table === to && moved.length === 0) return null;
  return {
    table,
    name: to,
    statements: [
      ...(table === to ? [] : [alterTable(table, sql`rename to ${ident(to)}`)]),
      ...moved.map((column) => alterTable(to, sql`rename column ${ident(column.old)} to ${ident(column.to)}`)),
    ],
    notes: [
      ...(table === to ? [] : [`${table}: renamed to ${to}`]),
      ...moved.map((column) => `${to}.${column.old}: renamed to ${column.to}`),
    ],
  };
}

/** Indexes and keys are found by their names, which are made from those of tables and columns. */
async function planNames(tx: Transaction, specs: readonly TableSpec[]): Promise<Sql[]> {
  const live = await readLiveTables(
    tx,
    specs.map(({ name }) => name),
  );
  return specs.flatMap((table) => {
    const known = live.get(table.name);
    if (!known) return [];
    const indexes = pairs(
      table.indexes,
      known.indexes,
      (index, other) => !other.isConstraint && isSameIndex(other, index),
    );
    const keys = pairs(table.foreignKeys, known.foreignKeys, isSameForeignKey);
    return [
      ...indexes.map(([old, name]) => sql`alter index ${ident(old)} rename to ${ident(name)}`),
      ...keys.map(([old, name]) => alterTable(table.name, sql`rename constraint ${ident(old)} to ${ident(name)}`)),
    ];
  });
}

/** The old and the new name of each missing one that exists under a name that is no longer declared. */
function pairs<Wanted extends { readonly name: string }, Live>(
  wanted: readonly Wanted[],
  live: ReadonlyMap<string, Live>,
  isSame: (wanted: Wanted, live: Live) => boolean,
): [string, string][] {
  const names = new Set(wanted.map(({ name }) => name));
  const left = new Map([...live].filter(([name]) => !names.has(name)));
  return wanted.flatMap((each) => {
    const [old] = live.has(each.name) ? [] : ([...left].find(([, other]) => isSame(each, other)) ?? []);
    if (old === undefined) return [];
    left.delete(old);
    return [[old, each.name] as [string, string]];
  });
}
