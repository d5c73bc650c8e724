/**
 * Writes the cell whose text lies between two places of `bytes` into `out` from `at` on, and says where it ends. Whoever calls
 * it has made room.
 */
export type CellWriter = (out: Buffer, at: number, bytes: Buffer, start: number, end: number) => number;

const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;
const point = 0x2e;

export const copyBytes: CellWriter = (out, at, bytes, start, end) => {
  let to = at;
  for (let i = start; i < end; i++) out[to++] = bytes[i] as number;
  return to;
};

/** `12.5000` is `12.5`, `12.00` is `12`. */
const decimal: CellWriter = (out, at, bytes, start, end) => {
  let last = end;
  if (hasPoint(bytes, start, end)) {
    while (bytes[last - 1] === zero) last--;
    if (bytes[last - 1] === point) last--;
  }
  return copyBytes(out, at, bytes, start, last);
};

function hasPoint(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] === point) return true;
  return false;
}

const yes = Buffer.from('true');
const no = Buffer.from('false');

const boolean: CellWriter = (out, at, bytes, start) => {
  const word = bytes[start] === 0x74 ? yes : no;
  return copyBytes(out, at, word, 0, word.length);
};

const plain: CellWriter = (out, at, bytes, start, end) => {
  out[at] = quote;
  const to = copyBytes(out, at + 1, bytes, start, end);
  out[to] = quote;
  return to + 1;
};

const text: CellWriter = (out, at, bytes, start, end) => {
  let to = at;
  out[to++] = quote;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x20 && byte !== quote && byte !== backslash) out[to++] = byte;
    else to = writeEscape(out, to, byte);
  }
  out[to++] = quote;
  return to;
};

const shortEscapes: Readonly<Record<number, number>> = {
  8: 0x62,
  9: 0x74,
  10: 0x6e,
  12: 0x66,
  13: 0x72,
  [quote]: quote,
  [backslash]: backslash,
};

function writeEscape(out: Buffer, at: number, byte: number): number {
  out[at] = backslash;
  const short = shortEscapes[byte];
  if (short === undefined) return at + 1 + out.write(`u${byte.toString(16).padStart(4, '0')}`, at + 1, 'latin1');
  out[at + 1] = short;
  return at + 2;
}

/** `2026-11-14 09:30:00.5+00`, as a session in UTC writes it, becomes `2026-11-14T09:30:00.500Z`. */
const instant: CellWriter = (out, at, bytes, start, end) => {
  const offset = end - 3;
  const isUsual = bytes[start + 10] === 0x20 && bytes[offset] === 0x2b && end - start >= 22 && end - start <= 26;
  if (!isUsual || bytes[offset + 1] !== zero || bytes[offset + 2] !== zero) {
    return at + out.write(unusualInstant(bytes.toString('latin1', start, end)), at, 'latin1');
  }
  let to = at;
  out[to++] = quote;
  to = copyBytes(out, to, bytes, start, start + 19);
  out[at + 11] = 0x54;
  out[to++] = point;
  for (let i = start + 20; i < start + 23; i++) out[to++] = i < offset ? (bytes[i] as number) : zero;
  out[to++] = 0x5a;
  out[to++] = quote;
  return to;
};

function unusualInstant(cell: string): string {
  return JSON.stringify(new Date(cell.replace(/([+-]\d{2})$/, '$1:00')).toISOString());
}

export const cellWriters = { digits: copyBytes, decimal, boolean, plain, text, instant, json: copyBytes } as const;
