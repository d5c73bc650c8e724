import { setImmediate } from 'node:timers/promises';
import type { Sheet, TextStyle } from './sheet.ts';

interface TableColumn {
  readonly label: string;
  readonly width: number;
  readonly align?: 'left' | 'right';
}

const gap = 8;
const padding = 5;
/** Drawing that many takes some milliseconds. */
const charactersInTurn = 1_000;

/**
 * A long text, paragraph by paragraph, so that it continues on the next page. Other requests are served in between.
 * ```ts
 * export async function drawTerms(sheet: Sheet, terms: string) {
 *   await drawText(sheet, terms, { size: 9, colour: 'muted' });
 * }
 * ```
 */
export async function drawText(sheet: Sheet, text: string, style: TextStyle = {}): Promise<void> {
  for (const paragraph of text.split(/\n+/)) {
    for (const piece of piecesOf(paragraph)) {
      sheet.write(piece, style);
      if (text.length > charactersInTurn) await setImmediate();
    }
    sheet.y += 4;
  }
}

/** A text in pieces that are drawn without anybody noticing, cut at the end of a line or between words. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > charactersInTurn) {
    const head = rest.slice(0, charactersInTurn);
    const between = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' '));
    const isInLetter = /[\ud800-\udbff]$/.test(head);
    const cut = between > 0 ? between : charactersInTurn - (isInLetter ? 1 : 0);
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(between > 0 ? cut + 1 : cut);
  }
  return [...pieces, rest];
}

/**
 * Rows below a header that is repeated on every page. The first column takes the remaining width and wraps; a row that does not fit
 * moves to the next page as a whole, and a text that is longer than a page continues there. Other requests are served between its rows,
 * so many rows are best made one by one, by a generator.
 * ```ts
 * export async function drawLoans(sheet: Sheet) {
 *   await drawTable(sheet, 'Book', [{ label: 'Days', width: 60, align: 'right' }], [['Faust', '14'], ['Emma', '3']]);
 * }
 * ```
 */
export async function drawTable(
  sheet: Sheet,
  firstLabel: string,
  others: readonly TableColumn[],
  rows: Iterable<readonly string[]>,
): Promise<void> {
  const width = sheet.width - others.reduce((sum, column) => sum + column.width + gap, 0);
  const columns = [{ label: firstLabel, width }, ...others];
  drawHead(sheet, columns);
  let drawn = 0;
  for (const row of rows) {
    const [first = '', ...further] = piecesOf(row[0] ?? '');
    for (const cells of [[first, ...row.slice(1)], ...further.map((piece) => [piece])]) {
      const height = sheet.heightOf(cells[0] ?? '', { width }) + 2 * padding;
      if (sheet.makeRoom(height)) drawHead(sheet, columns);
      drawRow(sheet, columns, cells, {});
      sheet.y += height;
      for (const cell of cells) drawn += cell.length;
      if (drawn < charactersInTurn) continue;
      drawn = 0;
      await setImmediate();
    }
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
