/** A field that a column of a CSV file can be mapped to. */
export interface ImportTarget {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  /** A new record needs a value for it, and has none by itself. */
  readonly required: boolean;
  /** Records can be found by it. */
  readonly unique: boolean;
}

/** A cell that cannot be taken. */
export interface BadCell {
  /** As a spreadsheet counts: the header is row 1; 0 for the file as a whole. */
  readonly row: number;
  /** The header of the column; the field's name where no column is mapped to it, and empty for the row as a whole. */
  readonly column: string;
  readonly message: string;
}
