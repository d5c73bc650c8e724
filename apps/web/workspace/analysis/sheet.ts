/** A cell of a sheet. */
export interface SheetCell {
  /** The exported value: a number, a decimal string or a text. */
  readonly value: string | number | null;
  /**
   * `text` keeps digits as text, such as a postal code; `date` is a date (`2026-11-15`, optionally with a time) in a
   * workbook.
   */
  readonly as?: 'text' | 'date';
  /** The displayed text; the value by default. */
  readonly text?: string;
  /** Opens the records behind it. */
  readonly open?: () => void;
}

/** A column of a sheet. */
export interface SheetColumn {
  readonly key: string;
  readonly label: string;
}

/** A row of a sheet. */
export interface SheetRow {
  readonly key: string;
  readonly cells: readonly SheetCell[];
  readonly isTotal?: boolean;
}

/** Figures as a table: on screen, for screen readers, and in a file. */
export interface Sheet {
  /** The measures and groups in words; also the file name. */
  readonly title: string;
  readonly head: readonly SheetColumn[];
  readonly rows: readonly SheetRow[];
  /** How many leading columns name the row; the others are numbers. */
  readonly names: number;
}

/** Amounts are decimal strings, which spreadsheets read as numbers. */
export function isNumberText(value: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(value);
}
