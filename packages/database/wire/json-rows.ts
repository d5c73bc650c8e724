import { cellParser } from '../pool/type-parsers.ts';
import type { Cell } from '../queryable.ts';
import type { RowReader } from './fetch-rows.ts';
import { sliceText } from './slice-text.ts';
import { type CellWriter, cellWriters, type Output, reserve, writeText } from './write-cell.ts';

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
  readonly label: Buffer;
  readonly index: number;
  readonly absent: Buffer;
  readonly form: CellForm;
}

export interface JsonShape {
  readonly members: readonly Member[];
  /** Bytes that a row needs beside six for each of its own. */
  readonly fixed: number;
}

const longestEscape = 6;
const firstSize = 16_384;

/** Prepares the writing of rows as objects with these keys, in this order. */
export function jsonShape(columns: readonly JsonColumn[]): JsonShape {
  const members = columns.map(({ key, index, form, absent }, position) => ({
    label: Buffer.from(`${position === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    index,
    form,
    absent: Buffer.from(absent),
  }));
  // An instant grows by a few bytes and a quote at each end; commas and braces come on top.
  const fixed = members.reduce((sum, { label, absent }) => sum + label.length + absent.length + 16, 16);
  return { members, fixed };
}

/** Rows as the text of a JSON array of objects, written from the wire's bytes: no cell becomes a value on the way. */
export function jsonRows({ members, fixed }: JsonShape): RowReader<string> {
  const output: Output = { bytes: Buffer.allocUnsafe(firstSize), at: 1, spare: 0 };
  output.bytes[0] = 0x5b;
  const starts: number[] = [];
  let writers: CellWriter[] = [];

  return {
    begin(columns) {
      writers = members.map(({ index, form }) => {
        if (typeof form === 'string') return cellWriters[form];
        const parse = cellParser(columns[index]?.type ?? 0);
        return (to, bytes, start, end) =>
          writeText(to, form(parse(sliceText(bytes, start, end)) as Exclude<Cell, null>));
      });
    },
    row(bytes, start) {
      const end = findCells(bytes, start, starts);
      output.spare = fixed + (end - start) * longestEscape;
      reserve(output, output.spare);
      if (output.at > 1) output.bytes[output.at++] = 0x2c;
      for (let i = 0; i < members.length; i++) {
        const { label, index, absent } = members[i] as Member;
        append(output, label);
        const at = starts[index] as number;
        const length = bytes.readInt32BE(at - 4);
        if (length < 0) append(output, absent);
        else (writers[i] as CellWriter)(output, bytes, at, at + length);
      }
      output.bytes[output.at++] = 0x7d;
    },
    end() {
      reserve(output, 1);
      output.bytes[output.at++] = 0x5d;
      return sliceText(output.bytes, 0, output.at);
    },
  };
}

/** Notes where each cell's bytes begin; its length is in the four bytes before. */
function findCells(bytes: Buffer, start: number, starts: number[]): number {
  const count = bytes.readInt16BE(start);
  let at = start + 2;
  for (let i = 0; i < count; i++) {
    const length = bytes.readInt32BE(at);
    at += 4;
    starts[i] = at;
    if (length > 0) at += length;
  }
  return at;
}

function append(output: Output, piece: Buffer): void {
  const { bytes } = output;
  let { at } = output;
  for (let i = 0; i < piece.length; i++) bytes[at++] = piece[i] as number;
  output.at = at;
}
