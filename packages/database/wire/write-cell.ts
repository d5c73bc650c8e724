/** Where JSON is put together. Whoever writes a row has made room for all of it, but for what only a function knows. */
export interface Output {
  bytes: Buffer;
  at: number;
  /** What the row may still need. */
  spare: number;
}

/** Writes the cell whose text lies between two places. */
export type CellWriter = (to: Output, bytes: Buffer, start: number, end: number) => void;

const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;
const point = 0x2e;

const digits: CellWriter = (to, bytes, start, end) => {
  const { bytes: out } = to;
  let { at } = to;
  for (let i = start; i < end; i++) out[at++] = bytes[i] as number;
  to.at = at;
};

/** `12.5000` is `12.5`, `12.00` is `12`. */
const decimal: CellWriter = (to, bytes, start, end) => {
  let last = end;
  let hasPoint = false;
  for (let i = start; i < end && !hasPoint; i++) hasPoint = bytes[i] === point;
  if (hasPoint) {
    while (bytes[last - 1] === zero) last--;
    if (bytes[last - 1] === point) last--;
  }
  digits(to, bytes, start, last);
};

const boolean: CellWriter = (to, bytes, start) => {
  writeText(to, bytes[start] === 0x74 ? 'true' : 'false');
};

const plain: CellWriter = (to, bytes, start, end) => {
  to.bytes[to.at++] = quote;
  digits(to, bytes, start, end);
  to.bytes[to.at++] = quote;
};

const text: CellWriter = (to, bytes, start, end) => {
  const { bytes: out } = to;
  let { at } = to;
  out[at++] = quote;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x20 && byte !== quote && byte !== backslash) out[at++] = byte;
    else at = writeEscape(out, at, byte);
  }
  out[at++] = quote;
  to.at = at;
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

function writeEscape(out: Buffer, start: number, byte: number): number {
  let at = start;
  out[at++] = backslash;
  const short = shortEscapes[byte];
  if (short === undefined) return at + out.write(`u${byte.toString(16).padStart(4, '0')}`, at, 'latin1');
  out[at++] = short;
  return at;
}

/** `2026-11-14 09:30:00.5+00`, as a session in UTC writes it, becomes `2026-11-14T09:30:00.500Z`. */
const instant: CellWriter = (to, bytes, start, end) => {
  const offset = end - 3;
  const isUsual = bytes[start + 10] === 0x20 && bytes[offset] === 0x2b && end - start >= 22 && end - start <= 26;
  if (!isUsual || bytes[offset + 1] !== zero || bytes[offset + 2] !== zero) {
    return writeText(to, JSON.stringify(unusualInstant(bytes.toString('latin1', start, end))));
  }
  const { bytes: out } = to;
  let { at } = to;
  out[at++] = quote;
  for (let i = start; i < start + 19; i++) out[at++] = i === start + 10 ? 0x54 : (bytes[i] as number);
  out[at++] = point;
  for (let i = start + 20; i < start + 23; i++) out[at++] = i < offset ? (bytes[i] as number) : zero;
  out[at++] = 0x5a;
  out[at++] = quote;
  to.at = at;
};

function unusualInstant(cell: string): string {
  return new Date(cell.replace(/([+-]\d{2})$/, '$1:00')).toISOString();
}

export const cellWriters = { digits, decimal, boolean, plain, text, instant, json: digits } as const;

/** Text that no one has made room for. */
export function writeText(to: Output, value: string): void {
  reserve(to, value.length * 3 + to.spare);
  to.at += to.bytes.write(value, to.at, 'utf8');
}

export function reserve(to: Output, more: number): void {
  const needed = to.at + more;
  if (needed <= to.bytes.length) return;
  const grown = Buffer.allocUnsafe(Math.max(needed, to.bytes.length * 2));
  to.bytes.copy(grown, 0, 0, to.at);
  to.bytes = grown;
}
