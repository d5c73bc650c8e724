/** Bytes, and a view of the same ones: four at a time go through it. */
export interface Room {
  readonly bytes: Buffer;
  readonly view: DataView;
}

export function roomOf(bytes: Buffer): Room {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/** Writes the cell between two positions of `from` into `out` at `at`, and returns its end. The caller has reserved the space. */
export type CellWriter = (out: Room, at: number, from: Room, start: number, end: number) => number;

const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;
const point = 0x2e;

export const copyBytes: CellWriter = (out, at, from, start, end) => {
  const { bytes, view } = out;
  const { bytes: source, view: sourceView } = from;
  let to = at;
  let i = start;
  for (const last = end - 3; i < last; i += 4, to += 4) view.setInt32(to, sourceView.getInt32(i, true), true);
  for (; i < end; i++) bytes[to++] = source[i] as number;
  return to;
};

/** `12.5000` is `12.5`, `12.00` is `12`. */
const decimal: CellWriter = (out, at, from, start, end) => {
  const { bytes } = from;
  let last = end;
  if (hasPoint(bytes, start, end)) {
    while (bytes[last - 1] === zero) last--;
    if (bytes[last - 1] === point) last--;
  }
  return copyBytes(out, at, from, start, last);
};

function hasPoint(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] === point) return true;
  return false;
}

const yes = roomOf(Buffer.from('true'));
const no = roomOf(Buffer.from('false'));

const boolean: CellWriter = (out, at, { bytes }, start) => {
  const word = bytes[start] === 0x74 ? yes : no;
  return copyBytes(out, at, word, 0, word.bytes.length);
};

const plain: CellWriter = (out, at, from, start, end) => {
  out.bytes[at] = quote;
  const to = copyBytes(out, at + 1, from, start, end);
  out.bytes[to] = quote;
  return to + 1;
};

const text: CellWriter = (out, at, from, start, end) => {
  const { bytes, view } = out;
  const { bytes: source, view: sourceView } = from;
  const last = end - 3;
  let to = at;
  let i = start;
  bytes[to++] = quote;
  while (i < end) {
    for (; i < last; i += 4, to += 4) {
      const four = sourceView.getInt32(i, true);
      if (!isPlain(four)) break;
      view.setInt32(to, four, true);
    }
    for (const next = i < last ? i + 4 : end; i < next; i++) {
      const byte = source[i] as number;
      if (byte >= 0x20 && byte !== quote && byte !== backslash) bytes[to++] = byte;
      else to = writeEscape(bytes, to, byte);
    }
  }
  bytes[to++] = quote;
  return to;
};

/**
 * Whether none of the four bytes in a number needs an escape: a byte that is too small for the subtraction sets its highest bit,
 * which was not set before.
 */
function isPlain(four: number): boolean {
  const quotes = four ^ 0x22222222;
  const backslashes = four ^ 0x5c5c5c5c;
  const low = (four - 0x20202020) & ~four;
  const found = low | ((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes);
  return (found & 0x80808080) === 0;
}

/** The character after the backslash, by byte; 0: its number. */
const shortEscapes = new Uint8Array(256);
for (const [byte, sign] of ['\bb', '\tt', '\nn', '\ff', '\rr', '""', '\\\\'].map((pair) => Buffer.from(pair)))
  shortEscapes[byte as number] = sign as number;

function writeEscape(out: Buffer, at: number, byte: number): number {
  out[at] = backslash;
  const short = shortEscapes[byte] as number;
  if (short === 0) return at + 1 + out.write(`u${byte.toString(16).padStart(4, '0')}`, at + 1, 'latin1');
  out[at + 1] = short;
  return at + 2;
}

/** `2026-11-14 09:30:00.5+00`, as a session in UTC writes it, becomes `2026-11-14T09:30:00.500Z`. */
const instant: CellWriter = (room, at, from, start, end) => {
  const { bytes } = from;
  const { bytes: out } = room;
  const offset = end - 3;
  const isUsual = bytes[start + 10] === 0x20 && bytes[offset] === 0x2b && end - start >= 22 && end - start <= 26;
  if (!isUsual || bytes[offset + 1] !== zero || bytes[offset + 2] !== zero) {
    return at + out.write(unusualInstant(bytes.toString('latin1', start, end)), at, 'latin1');
  }
  let to = at;
  out[to++] = quote;
  to = copyBytes(room, to, from, start, start + 19);
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
