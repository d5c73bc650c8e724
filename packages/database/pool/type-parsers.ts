import type { CustomTypesConfig } from 'pg';
import { sliceText } from '../wire/cells.ts';

/**
 * One cell as the driver hands it over: integers, floats and booleans become values; int4[] becomes number[];
 * bytea becomes Buffer; dates, timestamps, numerics, json and text stay text. int8 becomes a number.
 */
export type Cell = string | number | boolean | null | Buffer | readonly number[];

const bytea = 17;
const toText = (value: string): string => value;
const toBoolean = (value: string): boolean => value === 't';
const toBuffer = (value: string): Buffer => Buffer.from(value.slice(2), 'hex');

function toNumbers(value: string): readonly number[] {
  const body = value.startsWith('{') ? value : value.slice(value.indexOf('=') + 1);
  if (body === '{}') return [];
  return JSON.parse(body.replaceAll('{', '[').replaceAll('}', ']').replaceAll('NULL', 'null')) as number[];
}

const parsers = new Map<number, (value: string) => Cell>([
  [16, toBoolean],
  [bytea, toBuffer],
  [20, Number],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, Number],
  [701, Number],
  [1005, toNumbers],
  [1007, toNumbers],
  [1016, toNumbers],
  [1028, toNumbers],
]);

/** Converts the text of a cell by its type. */
export function cellParser(oid: number): (text: string) => Cell {
  return parsers.get(oid) ?? toText;
}

/** Reads a cell from the bytes of a row. Files are long and need no decoding of letters. */
export function cellReader(oid: number): (bytes: Buffer, start: number, end: number) => Cell {
  if (oid === bytea) return (bytes, start, end) => toBuffer(bytes.latin1Slice(start, end));
  const parse = cellParser(oid);
  return (bytes, start, end) => parse(sliceText(bytes, start, end));
}

/** Passed with every query, so that no global parser of the driver decides: numerics and dates must stay exact text. */
export const cellTypes: CustomTypesConfig = {
  getTypeParser: (oid: number) => cellParser(oid),
};
