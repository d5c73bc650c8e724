import {
  CsvError,
  type CsvRow,
  csvRows,
  type Delimiter,
  findDelimiter,
  isBlankRow,
  text,
  ValidationError,
  type Words,
} from '@kontor/protocol';

/** A CSV file, or a sheet as one: its header, each name once, and its rows as often as they are asked for. */
export interface Table {
  readonly headers: readonly string[];
  rows(): Iterable<CsvRow>;
  /** Columns whose numbers came typed, so that a point is their decimal mark. */
  readonly pointColumns: ReadonlySet<number>;
}

const maxColumns = 500;

export function openTable(source: string, pointColumns: readonly number[] = []): Table {
  const { body, delimiter } = splitDelimiter(source);
  const first = filledRows(body, delimiter).next();
  if (first.done) throw badFile(text('The file is empty.'));
  const headers = nameColumns(first.value.cells);
  return { headers, rows: () => afterHeader(filledRows(body, delimiter)), pointColumns: new Set(pointColumns) };
}

/** Some spreadsheets say in a line of its own what parts their cells. */
export function splitDelimiter(source: string): { readonly body: string; readonly delimiter: Delimiter } {
  const sep = /^sep=([,;\t])\r?\n/i.exec(source);
  const body = sep ? source.slice(sep[0].length) : source;
  return { body, delimiter: findDelimiter(body) };
}

export function* filledRows(source: string, delimiter: Delimiter): Generator<CsvRow> {
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
  // Before they are named: each name is held against those before it.
  if (given.length > maxColumns) throw badFile(text('At most {max} columns.', { max: maxColumns }));
  const names = new Set<string>();
  for (const [index, header] of given.entries()) {
    const name = header.slice(0, 200) || `Column ${index + 1}`;
    let unique = name;
    for (let n = 2; names.has(unique); n++) unique = `${name} (${n})`;
    names.add(unique);
  }
  return [...names];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const lenientUtf8 = new TextDecoder('utf-8');
/** The letters of Windows-1252 that Latin-1 has not: what spreadsheets of Western European systems write where nobody asked for UTF-8. */
const western = new Map(
  [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'].map((letter, at) => [
    String.fromCharCode(0x80 + at),
    letter,
  ]),
);

/** What programs write when they do not write CSV, by how it begins. */
const others: readonly { readonly begins: readonly number[]; readonly message: Words }[] = [
  {
    begins: [0xd0, 0xcf, 0x11, 0xe0],
    message: text(
      'This is an old Excel file, or one with a password. Save it as an Excel workbook (.xlsx) without a password and choose that file.',
    ),
  },
  { begins: [0x25, 0x50, 0x44, 0x46], message: text('This is a PDF. Choose a CSV file or an Excel workbook.') },
];

/** Whether it begins as archives do, and so workbooks. */
export function isWorkbook(bytes: Buffer): boolean {
  return [0x50, 0x4b, 0x03, 0x04].every((byte, index) => bytes[index] === byte);
}

/** A CSV file as text. */
export interface DecodedFile {
  readonly csv: string;
  readonly encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252';
}

/**
 * The text of a CSV file, without its byte order mark: UTF-8, UTF-16 with a mark, or Windows-1252 where it can be nothing else. A file
 * of another kind is refused with what to do.
 */
export function decodeFile(bytes: Buffer): DecodedFile {
  if (bytes.length === 0) throw badFile(text('The file is empty.'));
  const other = others.find(({ begins }) => begins.every((byte, index) => bytes[index] === byte));
  if (other) throw badFile(other.message);
  const wide = decodeUtf16(bytes);
  if (wide !== null) return { csv: wide, encoding: 'UTF-16' };
  if (bytes.includes(0)) throw notText();
  try {
    return { csv: utf8.decode(bytes), encoding: 'UTF-8' };
  } catch {
    if (isDamagedUtf8(bytes)) {
      throw badFile(
        text('The file is not in UTF-8 (line {line}). Save it as "CSV UTF-8" and choose that file.', {
          line: firstBadLine(bytes),
        }),
      );
    }
    const csv = bytes.toString('latin1').replaceAll(/[\x80-\x9f]/g, (letter) => western.get(letter) ?? letter);
    if (/(?![\t\r\n\v\f])\p{Cc}/u.test(csv)) throw notText();
    return { csv, encoding: 'Windows-1252' };
  }
}

/** Null: the file does not begin with a mark of UTF-16. */
function decodeUtf16(bytes: Buffer): string | null {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-16be';
  if (encoding === 'utf-16be' && !(bytes[0] === 0xfe && bytes[1] === 0xff)) return null;
  try {
    const csv = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!csv.includes('\0')) return csv;
  } catch {
    // Below.
  }
  throw notText();
}

function notText(): ValidationError {
  return badFile(text('This is not a text file. Choose a CSV file or an Excel workbook.'));
}

/** More letters are right in UTF-8 than wrong: another reading would spoil them. */
function isDamagedUtf8(bytes: Buffer): boolean {
  let [right, wrong] = [0, 0];
  for (const [letter] of lenientUtf8.decode(bytes).matchAll(/[^\0-\x7f]/gu)) {
    if (letter === '\ufffd') wrong++;
    else right++;
  }
  return right > wrong;
}

export function badFile(message: Words): ValidationError {
  return new ValidationError({ file: [message] }, message);
}

/** A line never ends inside a character, so each can be tried alone. */
function firstBadLine(bytes: Buffer): number {
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    try {
      utf8.decode(bytes.subarray(start, end < 0 ? bytes.length : end));
    } catch {
      return line;
    }
    if (end < 0) return line;
    start = end + 1;
  }
}
