import { createHash } from 'node:crypto';

export type DumpPart =
  | { readonly kind: 'about'; readonly about: Readonly<Record<string, unknown>> }
  | { readonly kind: 'statement'; readonly text: string }
  /** The rows must be read before the next part is requested. */
  | { readonly kind: 'rows'; readonly text: string; readonly rows: AsyncIterable<Buffer> }
  | { readonly kind: 'counted'; readonly count: number };

const longestLine = 1_048_576;

/** Parses a script of `writeDump`. Throws, at the latest at its end, if a byte is missing, added or changed. */
export async function* readDump(source: AsyncIterable<Buffer>): AsyncGenerator<DumpPart> {
  const cursor = openCursor(source);
  for (let isFirst = true; ; isFirst = false) {
    const line = await cursor.line();
    const [, kind, rest = ''] = /^-- kontor ([a-z]+) (.*)$/.exec(line) ?? [];
    if (isFirst !== (kind === 'dump')) throw broken();
    if (kind === 'end') {
      if (cursor.digestBeforeLine() !== rest || !(await cursor.isAtEnd())) throw broken();
      return;
    }
    if (kind === 'dump') yield { kind: 'about', about: readAbout(rest) };
    else if (kind === 'statement') yield { kind, text: await cursor.statement(lengthOf(rest)) };
    else if (kind === 'rows') yield { kind, text: await cursor.statement(lengthOf(rest)), rows: cursor.rows() };
    else if (kind === 'counted') yield { kind, count: lengthOf(rest) };
    else throw broken();
  }
}

function broken(): Error {
  return new Error('The backup is incomplete or has been modified.');
}

function lengthOf(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw broken();
  return Number(text);
}

function readAbout(text: string): Readonly<Record<string, unknown>> {
  let about: Record<string, unknown>;
  try {
    about = JSON.parse(text);
  } catch {
    throw broken();
  }
  if (about.format === 1) return about;
  throw new Error('The backup was made by a newer Kontor. Restore it with that version.');
}

interface Cursor {
  line(): Promise<string>;
  statement(length: number): Promise<string>;
  rows(): AsyncGenerator<Buffer>;
  /** Of everything before the last line. */
  digestBeforeLine(): string;
  isAtEnd(): Promise<boolean>;
}

const rowsEnd = Buffer.from('\\.\n');
const rowsEndLater = Buffer.from('\n\\.\n');

// Over 60 lines: all reads consume the same buffer and feed the same hash.
function openCursor(source: AsyncIterable<Buffer>): Cursor {
  const pieces = source[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let held: Buffer = Buffer.alloc(0);
  let lastLine: Buffer = held;

  async function fill(): Promise<boolean> {
    const { done, value } = await pieces.next();
    if (done) return false;
    held = held.length === 0 ? value : Buffer.concat([held, value]);
    return true;
  }

  function take(length: number): Buffer {
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  }

  function takeHashed(length: number): Buffer {
    hash.update(lastLine);
    lastLine = Buffer.alloc(0);
    const taken = take(length);
    hash.update(taken);
    return taken;
  }

  async function exactly(length: number): Promise<Buffer> {
    while (held.length < length) if (!(await fill())) throw broken();
    return takeHashed(length);
  }

  return {
    async line() {
      let at = held.indexOf(10);
      while (at < 0) {
        if (held.length > longestLine || !(await fill())) throw broken();
        at = held.indexOf(10);
      }
      hash.update(lastLine);
      lastLine = Buffer.from(take(at + 1));
      return lastLine.toString('utf8', 0, at);
    },
    async statement(length) {
      const text = (await exactly(length)).toString('utf8');
      if ((await exactly(2)).toString() !== ';\n') throw broken();
      return text;
    },
    async *rows() {
      while (held.length < rowsEnd.length) if (!(await fill())) throw broken();
      if (held.subarray(0, rowsEnd.length).equals(rowsEnd)) return void takeHashed(rowsEnd.length);
      for (;;) {
        const at = held.indexOf(rowsEndLater);
        if (at >= 0) {
          yield takeHashed(at + 1);
          takeHashed(rowsEnd.length);
          return;
        }
        // The end marker may be split across chunks.
        if (held.length > rowsEnd.length) yield takeHashed(held.length - rowsEnd.length);
        if (!(await fill())) throw broken();
      }
    },
    digestBeforeLine: () => hash.digest('hex'),
    isAtEnd: async () => held.length === 0 && !(await fill()),
  };
}
