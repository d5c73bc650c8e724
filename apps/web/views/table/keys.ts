export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export interface TableSize {
  readonly rows: number;
  readonly columns: number;
}

interface Press {
  /** In reading direction: `ArrowRight` is the next column in every language. */
  readonly key: string;
  /** With Ctrl or Cmd: to the first or last row. */
  readonly isJump: boolean;
  /** Rows per page. */
  readonly page: number;
}

/** The cell that a key leads to; null if there is none. */
export function cellAfterKey(
  { key, isJump, page }: Press,
  { row, column }: CellPlace,
  size: TableSize,
): CellPlace | null {
  const [lastRow, lastColumn] = [size.rows - 1, size.columns - 1];
  const inRow = (next: number) => ({ row, column: Math.max(0, Math.min(lastColumn, next)) });
  const inColumn = (next: number) => ({ row: Math.max(0, Math.min(lastRow, next)), column });
  switch (key) {
    case 'ArrowDown':
      return inColumn(row + 1);
    case 'ArrowUp':
      return inColumn(row - 1);
    case 'PageDown':
      return inColumn(row + page);
    case 'PageUp':
      return inColumn(row - page);
    case 'ArrowRight':
      return inRow(column + 1);
    case 'ArrowLeft':
      return inRow(column - 1);
    case 'Home':
      return { row: isJump ? 0 : row, column: 0 };
    case 'End':
      return { row: isJump ? lastRow : row, column: lastColumn };
    default:
      return null;
  }
}

/** The next editable cell in reading order, or the previous one with -1; null if there is none. */
export function nextCell(
  { row, column }: CellPlace,
  step: 1 | -1,
  { rows, columns }: TableSize,
  canEnter: (place: CellPlace) => boolean,
): CellPlace | null {
  for (let at = row * columns + column + step; at >= 0 && at < rows * columns; at += step) {
    const place = { row: Math.floor(at / columns), column: at % columns };
    if (canEnter(place)) return place;
  }
  return null;
}

/** Whether pasted text contains rows and cells, not the text of a single cell. */
export function isTable(text: string): boolean {
  return /[\t\n]/.test(text.replace(/\r?\n$/, ''));
}
