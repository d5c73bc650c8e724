import { csvLine, guardCell, text, type Words } from '@kontor/protocol';
import { badFile } from '../open-table.ts';
import { builtinFormat, type CellFormat, numberText, ownFormat } from './cell-formats.ts';
import { openZip, TooLargeError, type ZipArchive, ZipError } from './read-zip.ts';
import { type Attributes, scanXml, XmlError } from './scan-xml.ts';

/** Limits of a workbook; an upload of 8 MB can expand to far more. */
export interface WorkbookLimits {
  /** Unpacked size of all parts that are read. */
  readonly bytes: number;
  readonly cells: number;
  /** Characters of the sheet as CSV, and of the shared strings. */
  readonly characters: number;
}

const usualLimits: WorkbookLimits = { bytes: 256_000_000, cells: 2_000_000, characters: 32_000_000 };

/** A sheet of a workbook as CSV. */
export interface SheetTable {
  readonly sheet: string;
  readonly sheets: readonly string[];
  readonly csv: string;
  /** Columns, from 0, whose cells are numbers: their decimal mark is a point in every language. */
  readonly pointColumns: readonly number[];
}

/** Reads one sheet: the named one, otherwise the first with content. */
export async function readWorkbook(
  bytes: Buffer,
  wanted: string | null = null,
  limits: WorkbookLimits = usualLimits,
): Promise<SheetTable> {
  try {
    const archive = openZip(bytes, limits.bytes);
    if (!archive.has('xl/workbook.xml')) throw badFile(noWorkbook);
    const book = await readBook(archive);
    const shared = await readShared(archive, limits);
    const formats = await readFormats(archive);
    const names = book.sheets.map(({ name }) => name);
    const asked = wanted === null ? book.sheets : book.sheets.filter(({ name }) => name === wanted);
    let first: SheetTable | null = null;
    for (const { name, part } of asked) {
      const table = await readSheet(archive.text(part), { shared, formats, is1904: book.is1904, limits });
      first ??= { sheet: name, sheets: names, ...table };
      if (table.csv.trim() !== '') return { sheet: name, sheets: names, ...table };
    }
    if (first === null) throw badFile(text('The workbook has no such sheet.'));
    return first;
  } catch (error) {
    if (error instanceof TooLargeError) throw badFile(tooLarge);
    if (error instanceof ZipError || error instanceof XmlError || error instanceof RangeError) throw badFile(broken);
    throw error;
  }
}

const noWorkbook: Words = text(
  'This is an archive or a file of another program. Save it as an Excel workbook (.xlsx) or as "CSV UTF-8".',
);
const broken: Words = text('This workbook cannot be read. Save it again, or as "CSV UTF-8", and choose that file.');
export const tooLarge: Words = text('This workbook is too large. Import it in parts, or as "CSV UTF-8".');

interface Book {
  readonly sheets: readonly { readonly name: string; readonly part: string }[];
  readonly is1904: boolean;
}

/** The sheets in order; hidden ones only if there are no others. */
async function readBook(archive: ZipArchive): Promise<Book> {
  const parts = new Map<string, string>();
  const relations = 'xl/_rels/workbook.xml.rels';
  await scanXml(archive.text(relations), {
    open: (name, attribute) => {
      if (name === 'Relationship') parts.set(attribute('Id') ?? '', partOf(attribute('Target') ?? ''));
    },
    close: () => {},
  });
  const sheets: { name: string; part: string; isHidden: boolean }[] = [];
  let is1904 = false;
  await scanXml(archive.text('xl/workbook.xml'), {
    open: (name, attribute) => {
      if (name === 'workbookPr') is1904 = isOn(attribute('date1904'));
      if (name !== 'sheet') return;
      const part = parts.get(attribute('r:id') ?? attribute('ns:id') ?? '') ?? '';
      const isHidden = (attribute('state') ?? 'visible') !== 'visible';
      // A chart sheet has no cells.
      if (part.includes('worksheets/') && archive.has(part))
        sheets.push({ name: attribute('name') ?? '', part, isHidden });
    },
    close: () => {},
  });
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  return { sheets: visible.length > 0 ? visible : sheets, is1904 };
}

function partOf(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

function isOn(given: string | undefined): boolean {
  return given === '1' || given === 'true';
}

/** Shared strings. Runs of different formats are one text; phonetic hints are ignored. */
async function readShared(archive: ZipArchive, { characters, cells }: WorkbookLimits): Promise<readonly string[]> {
  const name = 'xl/sharedStrings.xml';
  if (!archive.has(name)) return [];
  const shared: string[] = [];
  let [isText, isSpoken, current, length] = [false, false, '', 0];
  await scanXml(archive.text(name), {
    open(tag) {
      if (tag === 'si') current = '';
      else if (tag === 'rPh') isSpoken = true;
      else if (tag === 't') isText = !isSpoken;
    },
    close(tag) {
      if (tag === 't') isText = false;
      else if (tag === 'rPh') isSpoken = false;
      else if (tag === 'si') {
        // More shared strings than cells are never used.
        if (shared.length >= cells) throw new TooLargeError();
        shared.push(unmasked(current));
      }
    },
    text(part) {
      if (!isText) return;
      current += part;
      length += part.length;
      if (length > characters) throw new TooLargeError();
    },
  });
  return shared;
}

/** Excel writes characters that XML does not allow as `_x000D_`. */
function unmasked(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** How each cell style shows numbers. */
async function readFormats(archive: ZipArchive): Promise<readonly CellFormat[]> {
  if (!archive.has('xl/styles.xml')) return [];
  const own = new Map<number, CellFormat>();
  const formats: CellFormat[] = [];
  let isCells = false;
  await scanXml(archive.text('xl/styles.xml'), {
    open(name, attribute) {
      if (name === 'numFmt') own.set(Number(attribute('numFmtId')), ownFormat(attribute('formatCode') ?? ''));
      else if (name === 'cellXfs') isCells = true;
      else if (name === 'xf' && isCells) {
        const id = Number(attribute('numFmtId') ?? 0);
        formats.push(own.get(id) ?? builtinFormat(id));
      }
    },
    close(name) {
      if (name === 'cellXfs') isCells = false;
    },
  });
  return formats;
}

interface SheetFacts {
  readonly shared: readonly string[];
  readonly formats: readonly CellFormat[];
  readonly is1904: boolean;
  readonly limits: WorkbookLimits;
}

/** Users may open it in a spreadsheet again, whatever its separator. */
const quoted = /[",;\t\r\n]|^\s|\s$/;
const maxRows = 1_048_576;
const maxColumns = 16_384;

async function readSheet(
  parts: AsyncIterable<string>,
  { shared, formats, is1904, limits }: SheetFacts,
): Promise<Pick<SheetTable, 'csv' | 'pointColumns'>> {
  const lines: string[] = [];
  const [fractions, texts] = [new Set<number>(), new Set<number>()];
  let [row, cells, count, length]: [number, string[], number, number] = [0, [], 0, 0];
  let [column, type, style, value, isValue, isSpoken]: [number, string, number, string, boolean, boolean] = [
    ...([0, 'n', 0, '', false, false] as const),
  ];

  function endCell(): void {
    if (value === '') return;
    const said = cellText(type, value, { format: formats[style] ?? 'number', shared, is1904 });
    if (said === '') return;
    // The workbook decides the decimal mark only if all numbers of a column are typed.
    if (type === 'n') {
      if (said.includes('.')) fractions.add(column);
    } else if (/\d[.,]\d/.test(said)) texts.add(column);
    while (cells.length < column) cells.push('');
    cells[column] = type === 'n' || type === 'b' || type === 'd' ? said : guardCell(said);
    length += said.length;
  }

  function endRow(): void {
    // Blank rows keep their position, so that rows are counted as in the spreadsheet.
    while (lines.length < row - 1) lines.push('\r\n');
    count += cells.length;
    length += cells.length;
    if (count > limits.cells || length + lines.length * 2 > limits.characters) throw new TooLargeError();
    lines.push(cells.length === 0 ? '\r\n' : csvLine(cells, quoted));
    cells = [];
  }

  await scanXml(parts, {
    open(tag, attribute) {
      if (tag === 'row') {
        row = Math.max(row + 1, Math.min(maxRows, Number(attribute('r')) || 0));
        if (row > maxRows) throw new TooLargeError();
        column = -1;
      } else if (tag === 'c') {
        column = columnOf(attribute) ?? column + 1;
        if (column >= maxColumns) throw new XmlError('A column is too far right.');
        [type, style, value] = [attribute('t') ?? 'n', Number(attribute('s') ?? 0), ''];
      } else if (tag === 'rPh') isSpoken = true;
      else if (tag === 'v' || (tag === 't' && !isSpoken)) isValue = true;
    },
    close(tag) {
      if (tag === 'v' || tag === 't') isValue = false;
      else if (tag === 'rPh') isSpoken = false;
      else if (tag === 'c') endCell();
      else if (tag === 'row') endRow();
    },
    text(part) {
      if (isValue) value += part;
    },
  });
  const pointColumns = [...fractions].filter((at) => !texts.has(at)).sort((a, b) => a - b);
  return { csv: lines.join(''), pointColumns };
}

/** From 0: `C7` is 2. */
function columnOf(attribute: Attributes): number | null {
  const place = attribute('r') ?? '';
  let column = 0;
  for (let at = 0; at < place.length; at++) {
    const letter = place.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column === 0 ? null : column - 1;
}

interface CellFacts {
  readonly format: CellFormat;
  readonly shared: readonly string[];
  readonly is1904: boolean;
}

function cellText(type: string, value: string, { format, shared, is1904 }: CellFacts): string {
  switch (type) {
    case 's':
      return shared[Number(value)] ?? '';
    case 'b':
      return value.trim() === '1' ? 'true' : 'false';
    case 'n':
      return numberText(value, format, is1904);
    default:
      return unmasked(value);
  }
}
