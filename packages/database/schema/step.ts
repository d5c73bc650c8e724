import type { Sql } from '../sql/sql.ts';

/** One change of the schema. */
export interface Step {
  readonly table: string;
  readonly column?: string;
  readonly statement: Sql;
  /** The line of the report once it is done. */
  readonly note: string;
  /** The message if the data in the table make it impossible. Absent if that cannot happen. */
  readonly refusal?: string;
  /** Only possible when no row of its column is empty. */
  readonly needsValues?: boolean;
  /** Tables that are locked during it, besides its own. */
  readonly beside?: readonly string[];
}

export interface Refusal {
  readonly table: string;
  readonly column?: string;
  readonly reason: string;
}

/** A new required column that needs values for existing rows. */
export interface AwaitingColumn {
  readonly table: string;
  readonly column: string;
}

/** What a sync changed, what it could not change, and how often it had to wait. */
export interface SchemaReport {
  /** One line a change, `sale_order.state: column added (text)`; in the order in which they were made. */
  readonly done: readonly string[];
  readonly refused: readonly Refusal[];
  /** New required columns that wait for values; only if the caller will set them. */
  readonly awaiting?: readonly AwaitingColumn[];
  /** Number of retries for the locks that the changes need. */
  readonly lockRetries: number;
}
