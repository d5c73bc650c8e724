export interface Refusal {
  readonly table: string;
  readonly column?: string;
  readonly reason: string;
}

/** What a sync changed, what it could not, and how often it had to wait its turn. */
export interface SchemaReport {
  /** One line a change, `sale_order.state: column added (text)`; in the order in which they were made. */
  readonly done: readonly string[];
  readonly refused: readonly Refusal[];
  /** How often the locks that the changes need were tried again. */
  readonly lockRetries: number;
}
