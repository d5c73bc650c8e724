import { type Cell, cellParser } from '../pool/type-parsers.ts';
import { type Column, readLength, sliceText } from './cells.ts';
import type { RowReader } from './fetch-rows.ts';

type Parse = (text: string) => Cell;

/** Rows as arrays of cells. */
export function arrayRows(): RowReader<Cell[][]> {
  const rows: Cell[][] = [];
  let parsers: Parse[] = [];
  return {
    begin(columns) {
      parsers = columns.map((column) => cellParser(column.type));
    },
    row(bytes, start) {
      rows.push(readCells(bytes, start, parsers));
    },
    end: () => rows,
  };
}

/** Rows as objects by column name. */
export function objectRows(): RowReader<Record<string, Cell>[]> {
  const rows: Record<string, Cell>[] = [];
  let parsers: Parse[] = [];
  let named: readonly Column[] = [];
  return {
    begin(columns) {
      named = columns;
      parsers = columns.map((column) => cellParser(column.type));
    },
    row(bytes, start) {
      const cells = readCells(bytes, start, parsers);
      const row: Record<string, Cell> = {};
      for (let i = 0; i < cells.length; i++) row[(named[i] as Column).name] = cells[i] as Cell;
      rows.push(row);
    },
    end: () => rows,
  };
}

function readCells(bytes: Buffer, start: number, parsers: readonly Parse[]): Cell[] {
  const count = bytes.readInt16BE(start);
  const cells = new Array<Cell>(count);
  let at = start + 2;
  for (let i = 0; i < count; i++) {
    const length = readLength(bytes, at);
    at += 4;
    if (length < 0) {
      cells[i] = null;
      continue;
    }
    cells[i] = (parsers[i] as Parse)(sliceText(bytes, at, at + length));
    at += length;
  }
  return cells;
}
