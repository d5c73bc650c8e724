import { colours, type Sheet } from './sheet.ts';

export interface Column {
  readonly label: string;
  readonly width: number;
  readonly align?: 'left' | 'right';
}

const gap = 8;
const padding = 5;

/** Rows under a head that is repeated on every page. A row that does not fit goes to the next page whole. */
export function drawTable(sheet: Sheet, columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  drawHead(sheet, columns);
  for (const row of rows) {
    // Only the first column has words that wrap.
    const height = sheet.heightOf(row[0] ?? '', { width: columns[0]?.width ?? 0 }) + 2 * padding;
    if (sheet.y + height > sheet.bottom) {
      sheet.newPage();
      drawHead(sheet, columns);
    }
    drawRow(sheet, columns, row, {});
    sheet.y += height;
    sheet.rule();
  }
}

function drawHead(sheet: Sheet, columns: readonly Column[]): void {
  const labels = columns.map((column) => column.label);
  drawRow(sheet, columns, labels, { bold: true, colour: colours.muted, size: 8.5 });
  sheet.y += 12 + 2 * padding;
  sheet.rule(colours.accent);
}

function drawRow(
  sheet: Sheet,
  columns: readonly Column[],
  cells: readonly string[],
  style: { readonly bold?: boolean; readonly colour?: string; readonly size?: number },
): void {
  let x = sheet.left;
  sheet.y += padding;
  for (const [index, column] of columns.entries()) {
    sheet.text(cells[index] ?? '', x, { ...style, width: column.width, align: column.align ?? 'left' });
    x += column.width + gap;
  }
  sheet.y -= padding;
}

/** Widths in points for a sheet, the first column taking what the others leave. */
export function fitColumns(total: number, columns: readonly Column[]): readonly Column[] {
  const [first, ...others] = columns;
  if (first === undefined) return [];
  const taken = others.reduce((sum, column) => sum + column.width + gap, 0);
  return [{ ...first, width: total - taken }, ...others];
}
