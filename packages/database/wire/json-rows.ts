import { type Cell, cellReader } from '../pool/type-parsers.ts';
import { findCells, sliceText } from './cells.ts';
import type { RowReader } from './fetch-rows.ts';
import { type CellWriter, cellWriters, copyBytes, type Room, roomOf } from './write-cell.ts';

/**
 * How a cell becomes JSON. `digits` and `json` go as they are; `decimal` without zeros at its end; `plain` and `text` in
 * quotes, `text` with escapes; `instant` as ISO 8601; a function gets the cell and gives the JSON text.
 */
export type CellForm = keyof typeof cellWriters | ((cell: Exclude<Cell, null>) => string);

export interface JsonColumn {
  readonly key: string;
  /** Position in the statement's result. */
  readonly index: number;
  readonly form: CellForm;
  /** JSON text where the cell is null. */
  readonly absent: string;
}

interface Member {
  readonly label: Label;
  readonly index: number;
  readonly absent: Room;
  /** Null: only a function knows, and how long its text is. */
  readonly write: CellWriter | null;
  readonly form: CellForm;
}

export interface JsonShape {
  readonly members: readonly Member[];
  /** Bytes that a row needs beside six for each of its own. */
  readonly fixed: number;
}

const longestEscape = 6;
const firstSize = 32_768;
/** Room that was used and can be used again; large pieces are left to the garbage collector. */
const spareRoom: Room[] = [];
const maxSpare = 32;
const largestSpare = 1_000_000;

/** Prepares the writing of rows as objects with these keys, in this order. */
export function jsonShape(columns: readonly JsonColumn[]): JsonShape {
  const members = columns.map(({ key, index, form, absent }, position) => ({
    label: labelOf(`${position === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    index,
    absent: roomOf(Buffer.from(absent)),
    write: typeof form === 'string' ? cellWriters[form] : null,
    form,
  }));
  // An instant grows by a few bytes and a quote at each end; commas and braces come on top.
  const fixed = members.reduce((sum, { label, absent }) => sum + label.length + absent.bytes.length + 16, 16);
  return { members, fixed };
}

/** What stands before a cell of every row, four bytes to a number. */
interface Label {
  readonly numbers: Int32Array;
  readonly length: number;
}

function labelOf(text: string): Label {
  const { length } = Buffer.from(text);
  const bytes = Buffer.alloc(Math.ceil(length / 4) * 4, text);
  return { numbers: Int32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readInt32LE(at * 4)), length };
}

/** Up to three bytes are written behind it, where the cell comes next. */
function writeLabel(view: DataView, at: number, { numbers, length }: Label): number {
  for (let i = 0; i < numbers.length; i++) view.setInt32(at + i * 4, numbers[i] as number, true);
  return at + length;
}

type ToJson = (bytes: Buffer, start: number, end: number) => string;

/** Rows as the text of a JSON array of objects, written from the wire's bytes: no cell becomes a value on the way. */
// Over 60 lines: the functions write into the same buffer, which must stay in local variables to be fast.
export function jsonRows({ members, fixed }: JsonShape): RowReader<string> {
  const starts: number[] = [];
  const lengths: number[] = [];
  let functions: ToJson[] = [];
  let room = spareRoom.pop() ?? roomOf(Buffer.allocUnsafeSlow(firstSize));
  let source = room;
  let at = 1;
  room.bytes[0] = 0x5b;

  function reserve(more: number): void {
    const { bytes } = room;
    if (at + more <= bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(at + more, bytes.length * 2));
    bytes.copy(grown, 0, 0, at);
    room = roomOf(grown);
  }

  /** Text whose length was not known when room was reserved. */
  function writeText(text: string, spare: number): void {
    reserve(text.length * 3 + spare);
    at += room.bytes.write(text, at, 'utf8');
  }

  return {
    begin(columns) {
      functions = members.map(({ index, form }) => {
        const read = cellReader(columns[index]?.type ?? 0);
        const toJson = form as Exclude<CellForm, string>;
        return (bytes, start, end) => toJson(read(bytes, start, end) as Exclude<Cell, null>);
      });
    },
    row(bytes, start) {
      const end = findCells(bytes, start, starts, lengths);
      const spare = fixed + (end - start) * longestEscape;
      reserve(spare);
      if (source.bytes !== bytes) source = roomOf(bytes);
      const from = source;
      let out = room;
      let to = at;
      if (to > 1) out.bytes[to++] = 0x2c;
      for (let i = 0; i < members.length; i++) {
        const { label, index, absent, write } = members[i] as Member;
        to = writeLabel(out.view, to, label);
        const cell = starts[index] as number;
        const length = lengths[index] as number;
        if (length < 0) to = copyBytes(out, to, absent, 0, absent.bytes.length);
        else if (write) to = write(out, to, from, cell, cell + length);
        else {
          at = to;
          writeText((functions[i] as ToJson)(bytes, cell, cell + length), spare);
          to = at;
          out = room;
        }
      }
      out.bytes[to++] = 0x7d;
      at = to;
    },
    end() {
      reserve(1);
      const { bytes } = room;
      bytes[at++] = 0x5d;
      const text = sliceText(bytes, 0, at);
      if (spareRoom.length < maxSpare && bytes.length <= largestSpare) spareRoom.push(room);
      return text;
    },
  };
}
