import type { Cell, Sql } from '@kontor/database';
import { type DomainNode, disjoin, negate } from '@kontor/protocol';

/** One groupby entry: what is grouped by, what the finished groups are asked for, and how a row tells it. */
export interface GroupColumn {
  readonly key: string;
  /** The value per record. */
  readonly value: Sql;
  /** Joined to the records where they have several values: each then comes once for each of them. */
  readonly lines: Sql | null;
  /** Asked of each group, over the grouped value `at`; `join` brings in a related record's name. */
  readonly outer: readonly Sql[];
  readonly join: Sql | null;
  /** What a row can be sorted by, by its keys. */
  readonly sorts: ReadonlyMap<string, readonly Sql[]>;
  /** The row's keys and values. */
  entries(cells: readonly Cell[]): readonly (readonly [string, unknown])[];
  /** The records behind the group. */
  condition(cells: readonly Cell[]): DomainNode;
}

export function condition(
  path: readonly string[],
  operator: '=' | '=like' | 'in' | '>=' | '<',
  value: unknown,
): DomainNode {
  return { kind: 'condition', path, operator, value };
}

/**
 * The records without a value at the end of the path. Through a many2one that is also every record whose related one is
 * absent or hidden, which a condition through it never matches.
 */
export function isEmpty(path: readonly string[]): DomainNode {
  const empty = condition(path, '=', null);
  return path.length === 1 ? empty : disjoin(empty, isUnreached(path));
}

/** The records from which the path does not come to its last step; every record that it comes to has an id. */
export function isUnreached(path: readonly string[]): DomainNode {
  return negate(condition([...path.slice(0, -1), 'id'], '>=', 1));
}
