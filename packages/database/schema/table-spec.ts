/** The schema that models declare, as plain data. Schema sync compares it with the database and adds what is missing. */
export interface ColumnSpec {
  readonly name: string;
  /** As PostgreSQL spells it: `text`, `varchar(64)`, `integer`, `numeric(16,2)`, `timestamptz(3)`, `jsonb`, … */
  readonly type: string;
  readonly notNull: boolean;
  /** SQL text of a constant default (`'draft'`, `false`, `0`); rows that exist get it when the column is added. */
  readonly default?: string;
  /** Value for existing rows when a not-null column without a default is added. */
  readonly backfill?: string;
}

export interface ForeignKeySpec {
  readonly name: string;
  readonly column: string;
  readonly table: string;
  readonly onDelete: 'restrict' | 'cascade' | 'set null';
}

export interface IndexSpec {
  readonly name: string;
  /** Columns or expressions in SQL text, as the index needs them. */
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly method?: 'btree' | 'gin' | 'brin';
  readonly where?: string;
}

export interface CheckSpec {
  readonly name: string;
  readonly expression: string;
}

export interface TableSpec {
  readonly name: string;
  /** True for tables with the identity column `id`; many2many tables have none. */
  readonly hasId: boolean;
  readonly columns: readonly ColumnSpec[];
  readonly primaryKey?: readonly string[];
  readonly foreignKeys: readonly ForeignKeySpec[];
  readonly indexes: readonly IndexSpec[];
  readonly checks: readonly CheckSpec[];
  /** Exclusion constraints; the expression is everything after the name. */
  readonly exclusions?: readonly CheckSpec[];
}
