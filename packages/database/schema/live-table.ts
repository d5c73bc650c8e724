import type { ForeignKeySpec } from './table-spec.ts';

/** The current state of the database, as its catalogue describes it. */
export interface LiveColumn {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly isIdentity: boolean;
  readonly default: string | null;
}

export interface LiveForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly onDelete: ForeignKeySpec['onDelete'] | 'no action' | 'set default';
}

export interface LiveIndex {
  readonly name: string;
  /** `name`, `date desc`; the text of an expression if there is no column. */
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly method: string;
  readonly isValid: boolean;
  readonly isPrimary: boolean;
  /** It belongs to a constraint of the same name. */
  readonly isConstraint: boolean;
  readonly isPartial: boolean;
  readonly comment: string | null;
}

export interface LiveTable {
  readonly name: string;
  /** False for a view or anything else in place of a table. */
  readonly isTable: boolean;
  readonly columns: ReadonlyMap<string, LiveColumn>;
  readonly primaryKey: readonly string[] | null;
  readonly foreignKeys: ReadonlyMap<string, LiveForeignKey>;
  readonly indexes: ReadonlyMap<string, LiveIndex>;
  /** Comments of check and exclusion constraints by name. */
  readonly checks: ReadonlyMap<string, string | null>;
}
