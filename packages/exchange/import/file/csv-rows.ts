import { text } from '@kontor/protocol';
import { badFile } from './decode-file.ts';

export interface CsvRow {
  /** As a spreadsheet counts: the header is row 1. */
  readonly row: number;
  readonly cells: readonly string[];
}

export type Delimiter = ',' | ';' | '\t';

/** The rows of a CSV text (RFC 4180, lines may end in any way), without blank ones. A quote that is never closed is refused. */
export function* csvRows(source: string, delimiter: Delimiter): Generator<CsvRow> {
  const scanner: Scanner = { source, delimiter, at: 0, isRowEnd: false };
  for (let row = 1; scanner.at < source.length; row++) {
    const cells: string[] = [];
    scanner.isRowEnd = false;
    while (!scanner.isRowEnd) cells.push(readCell(scanner, row));
    if (cells.length > 1 || cells[0]?.trim() !== '') yield { row, cells };
  }
}

interface Scanner {
  readonly source: string;
  readonly delimiter: string;
  at: number;
  isRowEnd: boolean;
}

const newline = 10;
const carriageReturn = 13;
const quote = 34;

function readCell(scanner: Scanner, row: number): string {
  const { source } = scanner;
  const quoted = source.charCodeAt(scanner.at) === quote ? readQuoted(scanner, row) : '';
  // What follows a closing quote belongs to the cell: nobody's text is thrown away for a stray quote.
  const start = scanner.at;
  const separator = scanner.delimiter.charCodeAt(0);
  let end = start;
  for (; end < source.length; end++) {
    const code = source.charCodeAt(end);
    if (code === separator || code === newline || code === carriageReturn) break;
  }
  const rest = end > start ? source.slice(start, end) : '';
  const code = source.charCodeAt(end);
  scanner.isRowEnd = code !== separator || end >= source.length;
  const isPair = code === carriageReturn && source.charCodeAt(end + 1) === newline;
  scanner.at = end + (isPair ? 2 : 1);
  return quoted + rest;
}

function readQuoted(scanner: Scanner, row: number): string {
  const { source } = scanner;
  let start = scanner.at + 1;
  let cell = '';
  for (;;) {
    const end = source.indexOf('"', start);
    if (end < 0) throw badFile(text('Row {row}: a quote is opened and never closed.', { row }));
    cell += source.slice(start, end);
    if (source.charCodeAt(end + 1) !== quote) {
      scanner.at = end + 1;
      return cell;
    }
    cell += '"';
    start = end + 2;
  }
}
