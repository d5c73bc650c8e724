import { CsvError, type CsvRow, csvRows, type Delimiter, findDelimiter, isBlankRow, text } from '@kontor/protocol';
import { badFile } from './decode-file.ts';

/** A CSV file: its header, each name once, and its rows as often as they are asked for. */
export interface Table {
  readonly headers: readonly string[];
  rows(): Iterable<CsvRow>;
}

const maxColumns = 500;

export function openTable(source: string): Table {
  // Some spreadsheets say in a line of its own what parts their cells.
  const sep = /^sep=([,;\t])\r?\n/i.exec(source);
  const body = sep ? source.slice(sep[0].length) : source;
  const delimiter = findDelimiter(body);
  const first = filledRows(body, delimiter).next();
  if (first.done) throw badFile(text('The file is empty.'));
  const headers = nameColumns(first.value.cells);
  if (headers.length > maxColumns) throw badFile(text('At most {max} columns.', { max: maxColumns }));
  return { headers, rows: () => afterHeader(filledRows(body, delimiter)) };
}

function* filledRows(source: string, delimiter: Delimiter): Generator<CsvRow> {
  try {
    for (const row of csvRows(source, delimiter)) if (!isBlankRow(row)) yield row;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw badFile(text('Row {row}: a quote is opened and never closed.', { row: error.row }));
  }
}

function* afterHeader(rows: Iterator<CsvRow>): Generator<CsvRow> {
  rows.next();
  for (let next = rows.next(); !next.done; next = rows.next()) yield next.value;
}

/** Columns are mapped by name, so one without a name gets one, and no two share one. Empty ones at the end are none. */
function nameColumns(cells: readonly string[]): string[] {
  const given = cells.map((cell) => cell.trim());
  while (given.at(-1) === '') given.pop();
  if (given.length === 0) throw badFile(text('The first row has no column names.'));
  const names = new Set<string>();
  for (const [index, header] of given.entries()) {
    const name = header.slice(0, 200) || `Column ${index + 1}`;
    let unique = name;
    for (let n = 2; names.has(unique); n++) unique = `${name} (${n})`;
    names.add(unique);
  }
  return [...names];
}
