export interface CsvRow {
  /** As a spreadsheet counts: the header is row 1. */
  readonly row: number;
  /** The line of the text on which the row starts; a quoted cell may contain line breaks. */
  readonly line: number;
  readonly cells: readonly string[];
}

export type Delimiter = ',' | ';' | '\t';
const delimiters: readonly Delimiter[] = [',', ';', '\t'];

/** A quote is opened and never closed. */
export class CsvError extends Error {
  readonly row: number;
  readonly line: number;

  constructor({ row, line }: { readonly row: number; readonly line: number }) {
    super('a quote is opened and never closed');
    this.row = row;
    this.line = line;
  }
}

/** Spreadsheets recognise a file as UTF-8 only if it starts with this. */
export const byteOrderMark = '\ufeff';

/** The rows of a CSV text (RFC 4180, lines may end in any way), blank ones too. Throws CsvError. */
export function* csvRows(text: string, delimiter: Delimiter): Generator<CsvRow> {
  const scanner: Scanner = { text, delimiter: delimiter.charCodeAt(0), at: 0, row: 1, line: 1, isRowEnd: false };
  for (; scanner.at < text.length; scanner.row++) {
    const { row, line } = scanner;
    const cells: string[] = [];
    scanner.isRowEnd = false;
    while (!scanner.isRowEnd) cells.push(readCell(scanner));
    scanner.line++;
    yield { row, line, cells };
  }
}

export function isBlankRow({ cells }: CsvRow): boolean {
  return cells.length === 1 && cells[0]?.trim() === '';
}

const longestFirstRow = 500_000;

/** The delimiter that parts the first row into the most columns. */
export function findDelimiter(text: string): Delimiter {
  const counts = new Map<string, number>(delimiters.map((each) => [each, 0]));
  let isQuoted = false;
  for (const character of text.slice(0, longestFirstRow)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) as number) + 1);
  }
  return delimiters.reduce((best, each) => ((counts.get(each) as number) > (counts.get(best) as number) ? each : best));
}

interface Scanner {
  readonly text: string;
  readonly delimiter: number;
  at: number;
  row: number;
  line: number;
  isRowEnd: boolean;
}

const newline = 10;
const carriageReturn = 13;
const quote = 34;

function readCell(scanner: Scanner): string {
  const { text, delimiter } = scanner;
  const quoted = text.charCodeAt(scanner.at) === quote ? readQuoted(scanner) : '';
  // What follows a closing quote belongs to the cell: no text is lost because of a stray quote.
  const start = scanner.at;
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === delimiter || code === newline || code === carriageReturn) break;
  }
  const rest = end > start ? text.slice(start, end) : '';
  const code = text.charCodeAt(end);
  scanner.isRowEnd = code !== delimiter || end >= text.length;
  const isPair = code === carriageReturn && text.charCodeAt(end + 1) === newline;
  scanner.at = end + (isPair ? 2 : 1);
  return quoted + rest;
}

function readQuoted(scanner: Scanner): string {
  const { text, line } = scanner;
  let start = scanner.at + 1;
  let cell = '';
  for (;;) {
    const end = text.indexOf('"', start);
    if (end < 0) throw new CsvError({ row: scanner.row, line });
    cell += text.slice(start, end);
    if (text.charCodeAt(end + 1) !== quote) {
      scanner.at = end + 1;
      scanner.line += cell.match(/\r\n|\n|\r/g)?.length ?? 0;
      return cell;
    }
    cell += '"';
    start = end + 2;
  }
}

const needsQuotes = /[",\r\n]/;

/** A line of CSV. `quoted` matches cells that need quotes, by default as in RFC 4180. */
export function csvLine(cells: readonly string[], quoted = needsQuotes): string {
  return `${cells.map((cell) => (quoted.test(cell) ? inQuotes(cell) : cell)).join(',')}\r\n`;
}

/** Several values in one cell, `3,7`; values that contain a comma or a quote are quoted: `"Smith, Ada",Bo`. */
export function joinList(values: readonly string[]): string {
  return values.map((value) => (/[",]|^\s|\s$/.test(value) ? inQuotes(value) : value)).join(',');
}

/** The reverse of `joinList`; spaces around the commas are ignored. */
export function splitList(cell: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  for (let at = 0; at < cell.length; at++) {
    const character = cell[at] as string;
    if (character === '"' && isQuoted && cell[at + 1] === '"') {
      part += '"';
      at++;
    } else if (character === '"' && (isQuoted || part.trim() === '')) {
      isQuoted = !isQuoted;
    } else if (character === ',' && !isQuoted) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  parts.push(part);
  return parts.map((each) => each.trim()).filter((each) => each !== '');
}

function inQuotes(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/** Characters that start a formula in a spreadsheet. */
export const formulaStarts = '=+-@\t\r';
/** Separators that a spreadsheet may be configured to use; it then ignores our quotes, and a line break starts a row. */
export const otherSeparators = ';|\t\r\n';

/** Quotes count as well: `'=1` typed by a user must not come back as `=1`. */
const beginsFormula = /(?<=^|[;|\t\r\n])(?=["']*[=+\-@\t\r])/g;
const isGuarded = /(?<=^|[;|\t\r\n])'(?=["']*[=+\-@\t\r])/g;

/**
 * Prefixes a text that a spreadsheet would take for a formula with a quote, at the start of a cell and after every possible
 * separator. Numbers and dates are never guarded.
 */
export function guardCell(text: string): string {
  return text.replaceAll(beginsFormula, "'");
}

/** The reverse of `guardCell`. */
export function unguardCell(cell: string): string {
  return cell.includes("'") ? cell.replaceAll(isGuarded, '') : cell;
}
