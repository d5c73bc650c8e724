/** A cell of a sheet. */
export interface SheetCell {
  /** As a file has it: a number, the digits of a decimal, or a text. */
  readonly value: string | number | null;
  /** Digits of a text stay text, such as a postal code; a day (`2026-11-15`, also with a time) is one in a workbook. */
  readonly as?: 'text' | 'date';
  /** As the screen has it; the value when absent. */
  readonly text?: string;
  /** Where the records behind it are. */
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

/** Figures as a table: on screen, for those who cannot see a chart, and in a file. */
export interface Sheet {
  /** Says what is measured by what; also the name of the file. */
  readonly title: string;
  readonly head: readonly SheetColumn[];
  readonly rows: readonly SheetRow[];
  /** How many columns in front name the row; the others are numbers. */
  readonly names: number;
}

/** Amounts come as the digits of a decimal, which a spreadsheet reads as the number it is. */
export function isNumberText(value: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(value);
}
