/** A column of a statement's result. */
export interface Column {
  readonly name: string;
  /** What the driver calls the type's object id. */
  readonly type: number;
}
