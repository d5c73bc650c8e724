import { type Cell, type Sql, sql } from '@kontor/database';
import { type DomainNode, disjoin, negate } from '@kontor/protocol';
import type { Field } from '../../model/model.ts';
import type { SortTerm } from '../order.ts';

/** One groupby entry: its value, the columns of its groups, and how they become a row. */
export interface GroupColumn {
  readonly key: string;
  /** The value per record. */
  readonly value: Sql;
  /** A join for fields with several values: a record then has one row for each value. */
  readonly lines: Sql | null;
  /** Columns of each group; `join` joins the related record for its name. */
  readonly outer: readonly Sql[];
  readonly join: Sql | null;
  /** Terms to sort by, for each key of a row; for its own key in the default order of its values. */
  readonly sorts: ReadonlyMap<string, readonly SortTerm[]>;
  /** The row's keys and values. */
  entries(cells: readonly Cell[]): readonly (readonly [string, unknown])[];
  /** Matches the records of the group. */
  condition(cells: readonly Cell[]): DomainNode;
}

export function condition(
  path: readonly string[],
  operator: '=' | '=like' | 'in' | '>=' | '>' | '<',
  value: unknown,
): DomainNode {
  return { kind: 'condition', path, operator, value };
}

/**
 * Matches records without a value at the end of the path. Through a many2one, these are also the records whose related record
 * is missing or hidden: a condition on the path never matches them.
 */
export function isEmpty(path: readonly string[]): DomainNode {
  const empty = condition(path, '=', null);
  return path.length === 1 ? empty : disjoin(empty, isPathBroken(path));
}

/** Matches records where a many2one along the path is empty or hidden. */
export function isPathBroken(path: readonly string[]): DomainNode {
  return negate(condition([...path.slice(0, -1), 'id'], '>=', 1));
}

/** An empty text counts as null in groups and measures, as it does in domains. */
export function nullIfBlank(field: Field, value: Sql): Sql {
  const mayBeBlank = field.kind.isText || field.selection?.has('') === true;
  return mayBeBlank ? sql`nullif(${value}, '')` : value;
}

/** Ascending. */
export function ascending(...values: readonly Sql[]): readonly SortTerm[] {
  return values.map((value) => ({ value, descending: false }));
}
