import { text } from '@kontor/protocol';
import { badFile, decodeFile, filledRows, splitDelimiter } from '../import/open-table.ts';
import type { CsvPiece, CsvSpec } from './pieces.ts';

/** Longer cells are no records of a table, and would be kept for every row. */
const longestCell = 4_000;
const mostCells = 500;

/** Passes on each row that is not blank. The first rows may be no table: banks write about the account before it. */
export function readCsvPieces(content: Buffer, { most }: Omit<CsvSpec, 'kind'>, take: (piece: CsvPiece) => void): void {
  const { body, delimiter } = splitDelimiter(decodeFile(content).csv);
  let count = 0;
  for (const { row, cells } of filledRows(body, delimiter)) {
    if (++count > most) throw badFile(text('The file has more than {most} records.', { most }));
    if (cells.length > mostCells) throw badFile(text('At most {max} columns.', { max: mostCells }));
    take({ row, cells: cells.map((cell) => cell.trim().slice(0, longestCell)) });
  }
}
