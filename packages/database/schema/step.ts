import type { Sql } from '../sql/sql.ts';

/** One change of the schema. */
export interface Step {
  readonly table: string;
  readonly column?: string;
  readonly statement: Sql;
  /** What the report says once it is done. */
  readonly note: string;
  /** The data may stand against it: what the report says then. Absent when nothing but the unforeseen can fail. */
  readonly refusal?: string;
  /** Only possible when no row of its column is empty. */
  readonly needsValues?: boolean;
  /** Tables that must hold still meanwhile, besides its own. */
  readonly beside?: readonly string[];
}
