import { type Cell, cellParser } from '../pool/type-parsers.ts';
import { findCells, sliceText } from './cells.ts';
import type { RowReader } from './fetch-rows.ts';
import { type CellWriter, cellWriters, copyBytes } from './write-cell.ts';

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
const spareRoom: Buffer[] = [];
const maxSpare = 32;
const largestSpare = 1_000_000;

/** Prepares the writing of rows as objects with these keys, in this order. */
export function jsonShape(columns: readonly JsonColumn[]): JsonShape {
  const members = columns.map(({ key, index, form, absent }, position) => ({
    label: Buffer.from(`${position === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    index,
    absent: Buffer.from(absent),
    write: typeof form === 'string' ? cellWriters[form] : null,
    form,
  }));
  // An instant grows by a few bytes and a quote at each end; commas and braces come on top.
  const fixed = members.reduce((sum, { label, absent }) => sum + label.length + absent.length + 16, 16);
  return { members, fixed };
}

type ToJson = (bytes: Buffer, start: number, end: number) => string;

/** Rows as the text of a JSON array of objects, written from the wire's bytes: no cell becomes a value on the way. */
export function jsonRows({ members, fixed }: JsonShape): RowReader<string> {
  const starts: number[] = [];
  const lengths: number[] = [];
  let functions: ToJson[] = [];
  let out = spareRoom.pop() ?? Buffer.allocUnsafeSlow(firstSize);
  let at = 1;
  out[0] = 0x5b;

  function reserve(more: number): void {
    if (at + more <= out.length) return;
    const grown = Buffer.allocUnsafe(Math.max(at + more, out.length * 2));
    out.copy(grown, 0, 0, at);
    out = grown;
  }

  /** Text whose length was not known when room was reserved. */
  function writeText(text: string, spare: number): void {
    reserve(text.length * 3 + spare);
    at += out.write(text, at, 'utf8');
  }

  return {
    begin(columns) {
      functions = members.map(({ index, form }) => {
        const parse = cellParser(columns[index]?.type ?? 0);
        const toJson = form as Exclude<CellForm, string>;
        return (bytes, start, end) => toJson(parse(sliceText(bytes, start, end)) as Exclude<Cell, null>);
      });
    },
    row(bytes, start) {
      const end = findCells(bytes, start, starts, lengths);
      const spare = fixed + (end - start) * longestEscape;
      reserve(spare);
      if (at > 1) out[at++] = 0x2c;
      for (let i = 0; i < members.length; i++) {
        const { label, index, absent, write } = members[i] as Member;
        at = copyBytes(out, at, label, 0, label.length);
        const from = starts[index] as number;
        const length = lengths[index] as number;
        if (length < 0) at = copyBytes(out, at, absent, 0, absent.length);
        else if (write) at = write(out, at, bytes, from, from + length);
        else writeText((functions[i] as ToJson)(bytes, from, from + length), spare);
      }
      out[at++] = 0x7d;
    },
    end() {
      reserve(1);
      out[at++] = 0x5d;
      const text = sliceText(out, 0, at);
      if (spareRoom.length < maxSpare && out.length <= largestSpare) spareRoom.push(out);
      return text;
    },
  };
}
