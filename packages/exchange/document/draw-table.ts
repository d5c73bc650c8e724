import type { Sheet, TextStyle } from './sheet.ts';

export interface TableColumn {
  readonly label: string;
  readonly width: number;
  readonly align?: 'left' | 'right';
}

const gap = 8;
const padding = 5;

/**
 * Rows under a head that every page repeats. The first column is as wide as the others leave it and its words wrap; a row that
 * does not fit goes to the next page whole.
 * ```ts
 * export function drawLoans(sheet: Sheet) {
 *   drawTable(sheet, 'Book', [{ label: 'Days', width: 60, align: 'right' }], [['Faust', '14'], ['Emma', '3']]);
 * }
 * ```
 */
export function drawTable(
  sheet: Sheet,
  firstLabel: string,
  others: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): void {
  const width = sheet.width - others.reduce((sum, column) => sum + column.width + gap, 0);
  const columns = [{ label: firstLabel, width }, ...others];
  drawHead(sheet, columns);
  for (const row of rows) {
    const height = sheet.heightOf(row[0] ?? '', { width }) + 2 * padding;
    if (sheet.makeRoom(height)) drawHead(sheet, columns);
    drawRow(sheet, columns, row, {});
    sheet.y += height;
    sheet.rule();
  }
}

function drawHead(sheet: Sheet, columns: readonly TableColumn[]): void {
  const labels = columns.map((column) => column.label);
  drawRow(sheet, columns, labels, { bold: true, colour: 'muted', size: 8.5 });
  sheet.y += 12 + 2 * padding;
  sheet.rule('accent');
}

function drawRow(sheet: Sheet, columns: readonly TableColumn[], cells: readonly string[], style: TextStyle): void {
  let x = sheet.left;
  sheet.y += padding;
  for (const [index, column] of columns.entries()) {
    sheet.text(cells[index] ?? '', x, { ...style, width: column.width, align: column.align ?? 'left' });
    x += column.width + gap;
  }
  sheet.y -= padding;
}
