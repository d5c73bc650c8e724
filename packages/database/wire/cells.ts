declare global {
  interface Buffer {
    /** These are of Node, but left out of its types. */
    utf8Slice(start: number, end: number): string;
    latin1Slice(start: number, end: number): string;
  }
}

/** A column of a statement's result. */
export interface Column {
  readonly name: string;
  /** The driver's name for the object id of the type. */
  readonly type: number;
}

/** Stores the start and length of each cell, -1 for null; returns the end of the row. */
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

/** `toString` without its look-up of the encoding, which would run for every cell. */
export function sliceText(bytes: Buffer, start: number, end: number): string {
  return bytes.utf8Slice(start, end);
}

/** `readInt32BE` without its checks of every argument. */
export function readLength(bytes: Buffer, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}
