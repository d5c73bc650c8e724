import { formulaStarts, otherSeparators } from '@kontor/protocol';
import { type Cell, cellReader } from '../pool/type-parsers.ts';
import { findCells } from './cells.ts';
import type { RowReader } from './fetch-rows.ts';
import { type CellWriter, cellWriters, copyBytes, type Room, roomOf } from './write-cell.ts';

/**
 * How a cell becomes CSV. `digits` and `plain` are written unchanged, `decimal` without trailing zeros, `instant` as ISO 8601;
 * `text` is quoted if necessary, and prefixed with `'` if a spreadsheet would take it for a formula; a function gets the cell and
 * returns such a text.
 */
export type CsvForm = keyof typeof csvWriters | ((cell: Exclude<Cell, null>) => string);

export interface CsvColumn {
  /** Position in the statement's result. */
  readonly index: number;
  readonly form: CsvForm;
  /** Where the cell is null. */
  readonly absent: string;
}

interface Member {
  readonly index: number;
  readonly absent: Room;
  readonly write: CellWriter | null;
  readonly form: CsvForm;
}

export interface CsvShape {
  readonly kind: 'csv';
  readonly members: readonly Member[];
  /** The bytes a row needs in addition to twice its own length. */
  readonly fixed: number;
}

export interface CsvPart {
  readonly bytes: Buffer;
  readonly rows: number;
}

const quote = 0x22;
const apostrophe = 0x27;
const comma = 0x2c;
const newLine = 0x0a;
const carriageReturn = 0x0d;
/** Escape of each byte, as a lookup table: texts are written byte by byte, and a set would be slower. */
const asksCare = bytesOf(`,"${otherSeparators}`);
const asksQuotes = bytesOf(',"\r\n');
const isSeparator = bytesOf(otherSeparators);
const isFormulaStart = bytesOf(formulaStarts);

function bytesOf(signs: string): Uint8Array {
  const asked = new Uint8Array(256);
  for (const sign of signs) asked[sign.charCodeAt(0)] = 1;
  return asked;
}

const firstSize = 65_536;

/** Prepares the writing of rows with these columns, in this order. */
export function csvShape(columns: readonly CsvColumn[]): CsvShape {
  const members = columns.map(({ index, form, absent }) => ({
    index,
    absent: roomOf(Buffer.from(absent)),
    write: typeof form === 'string' ? csvWriters[form] : null,
    form,
  }));
  // An instant grows by a few bytes; two quotes, a guard and a comma come on top of every cell.
  const fixed = members.reduce((sum, { absent }) => sum + absent.bytes.length + 16, 2);
  return { kind: 'csv', members, fixed };
}

/** Rows as lines of CSV, written from the wire's bytes: no cell becomes a value on the way. */
export function csvRows({ members, fixed }: CsvShape): RowReader<CsvPart> {
  const starts: number[] = [];
  const lengths: number[] = [];
  let readers: ReturnType<typeof cellReader>[] = [];
  let room = roomOf(Buffer.allocUnsafe(firstSize));
  let source = room;
  let at = 0;
  let rows = 0;

  function reserve(more: number): void {
    const { bytes } = room;
    if (at + more <= bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(at + more, bytes.length * 2));
    bytes.copy(grown, 0, 0, at);
    room = roomOf(grown);
  }

  function writeMade(made: string, spare: number): void {
    const bytes = Buffer.from(made);
    reserve(bytes.length * 2 + spare);
    at = text(room, at, roomOf(bytes), 0, bytes.length);
  }

  return {
    begin(columns) {
      readers = members.map(({ index }) => cellReader(columns[index]?.type ?? 0));
    },
    row(bytes, start) {
      const end = findCells(bytes, start, starts, lengths);
      const spare = fixed + (end - start) * 2;
      reserve(spare);
      if (source.bytes !== bytes) source = roomOf(bytes);
      for (let i = 0; i < members.length; i++) {
        const { index, absent, write, form } = members[i] as Member;
        if (i > 0) room.bytes[at++] = comma;
        const from = starts[index] as number;
        const length = lengths[index] as number;
        if (length < 0) at = copyBytes(room, at, absent, 0, absent.bytes.length);
        else if (write) at = write(room, at, source, from, from + length);
        else {
          const cell = (readers[i] as ReturnType<typeof cellReader>)(bytes, from, from + length);
          writeMade((form as Exclude<CsvForm, string>)(cell as Exclude<Cell, null>), spare);
        }
      }
      room.bytes[at++] = carriageReturn;
      room.bytes[at++] = newLine;
      rows++;
    },
    end: () => ({ bytes: room.bytes.subarray(0, at), rows }),
  };
}

const text: CellWriter = (room, at, from, start, end) => {
  const { bytes: out } = room;
  const { bytes } = from;
  let to = at;
  if (startsFormula(bytes, start, end)) out[to++] = apostrophe;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (asksCare[byte] === 1) return carefulText(room, at, from, start, end);
    out[to++] = byte;
  }
  return to;
};

const carefulText: CellWriter = ({ bytes: out }, at, { bytes }, start, end) => {
  let to = at;
  const isQuoted = needsQuotes(bytes, start, end);
  if (isQuoted) out[to++] = quote;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if ((i === start || isSeparator[bytes[i - 1] as number] === 1) && startsFormula(bytes, i, end))
      out[to++] = apostrophe;
    if (byte === quote) out[to++] = quote;
    out[to++] = byte;
  }
  if (isQuoted) out[to++] = quote;
  return to;
};

function startsFormula(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  // A quote that a user wrote before such a character is preserved by a second one.
  while (at < end && (bytes[at] === apostrophe || bytes[at] === quote)) at++;
  return at < end && isFormulaStart[bytes[at] as number] === 1;
}

function needsQuotes(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (asksQuotes[bytes[i] as number] === 1) return true;
  return false;
}

/** As in JSON, without its quotes. */
const instant: CellWriter = (room, at, from, start, end) => {
  const to = cellWriters.instant(room, at, from, start, end);
  room.bytes.copyWithin(at, at + 1, to - 1);
  return to - 2;
};

const csvWriters = {
  digits: copyBytes,
  plain: copyBytes,
  decimal: cellWriters.decimal,
  boolean: cellWriters.boolean,
  instant,
  text,
} as const;
