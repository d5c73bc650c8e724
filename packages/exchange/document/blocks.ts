import { setImmediate } from 'node:timers/promises';
import type { Sheet } from './sheet.ts';
import { type PlacedStyle, type TableColumn, tableGap } from './sheet-spec.ts';

/** Making the texts of so many characters takes some milliseconds. */
const charactersInTurn = 1_000;
/** A piece of a long text is drawn whole, on one page. */
const charactersOfPiece = 1_000;

/**
 * A long text, paragraph by paragraph, so that it continues on the next page.
 * ```ts
 * export async function drawTerms(sheet: Sheet, terms: string) {
 *   await drawText(sheet, terms, { size: 9, colour: 'muted' });
 * }
 * ```
 */
export async function drawText(sheet: Sheet, text: string, style: PlacedStyle = {}): Promise<void> {
  const turn = turnsOf();
  for (const paragraph of text.split(/\n+/)) {
    for (const piece of piecesOf(paragraph)) {
      sheet.write(piece, style);
      await turn(piece.length);
    }
    sheet.down(4);
  }
}

/** A text in pieces that fit on a page, cut at the end of a line or between words. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > charactersOfPiece) {
    const head = rest.slice(0, charactersOfPiece);
    const between = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' '));
    const isInLetter = /[\ud800-\udbff]$/.test(head);
    const cut = between > 0 ? between : charactersOfPiece - (isInLetter ? 1 : 0);
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
  const width = sheet.width - others.reduce((sum, column) => sum + column.width + tableGap, 0);
  sheet.head([{ label: firstLabel, width }, ...others]);
  const turn = turnsOf();
  for (const row of rows) {
    const [first = '', ...further] = piecesOf(row[0] ?? '');
    for (const cells of [[first, ...row.slice(1)], ...further.map((piece) => [piece])]) {
      sheet.row(cells);
      await turn(cells.reduce((sum, cell) => sum + cell.length, 0));
    }
    sheet.rule();
  }
}

/** Serves others after each portion of a text. */
function turnsOf(): (length: number) => Promise<void> {
  let made = 0;
  return async (length) => {
    made += length + 50;
    if (made < charactersInTurn) return;
    made = 0;
    await setImmediate();
  };
}
