import { guardCell } from './guard-cell.ts';

/** A text as a cell of a CSV file: guarded, and in quotes where it needs them. */
export function textCell(text: string): string {
  return quoteCell(guardCell(text));
}

/** In quotes where RFC 4180 wants them. */
export function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

/** Spreadsheets take a file for UTF-8 only when it begins with this. */
export const byteOrderMark = '\ufeff';
