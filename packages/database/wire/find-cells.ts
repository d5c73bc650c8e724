import { readLength } from './read-length.ts';

/** Notes where each cell begins and how long it is, less than nothing for null; answers where the row ends. */
export function findCells(bytes: Buffer, start: number, starts: number[], lengths: number[]): number {
  const count = bytes.readInt16BE(start);
  let at = start + 2;
  for (let i = 0; i < count; i++) {
    const length = readLength(bytes, at);
    at += 4;
    starts[i] = at;
    lengths[i] = length;
    if (length > 0) at += length;
  }
  return at;
}
