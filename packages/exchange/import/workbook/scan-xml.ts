/** XML that is not valid in a workbook. */
export class XmlError extends Error {}

interface XmlReader {
  /** Names without their prefix: `x:row` is `row`. */
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text?(text: string): void;
}

/** Looks up an attribute; most are never used. */
export type Attributes = (name: string) => string | undefined;

/** A cell has at most 32,767 characters, and an escape at most ten. */
const maxPiece = 1_000_000;
/** More than any importable sheet: two million cells with their values, and one row per spreadsheet line. */
const maxTags = 12_000_000;

/**
 * Scans XML part by part, without storing it. Dangerous features are rejected: without DOCTYPE there are no entities
 * except the five of XML.
 */
export async function scanXml(parts: AsyncIterable<string>, reader: XmlReader): Promise<void> {
  let [rest, depth, tags] = ['', 0, 0];
  const counted: XmlReader = {
    ...reader,
    open(name, attributes) {
      depth++;
      if (++tags > maxTags) throw new XmlError('The file has too many tags.');
      reader.open(name, attributes);
    },
    close(name) {
      depth--;
      reader.close(name);
    },
  };
  for await (const part of parts) {
    const source = rest + part;
    rest = source.slice(scanPart(source, counted));
    if (rest.length > maxPiece) throw new XmlError('A piece of the file is too long.');
  }
  if (rest.trim() !== '' || depth !== 0) throw new XmlError('The file ends in the middle.');
}

/** Returns how far it got: to the end of the last complete tag. */
function scanPart(source: string, reader: XmlReader): number {
  let at = 0;
  for (;;) {
    const start = source.indexOf('<', at);
    if (start < 0) return at;
    const end = endOfTag(source, start);
    if (end < 0) return at;
    if (start > at) reader.text?.(unescaped(source.slice(at, start)));
    readTag(source, start, end, reader);
    at = end;
  }
}

const bang = 33;
const question = 63;
const slash = 47;
const quote = 34;
const greater = 62;
const apostrophe = 39;

/** The position after the tag, comment or section that begins here; -1 if it is incomplete. */
function endOfTag(source: string, start: number): number {
  if (source.charCodeAt(start + 1) === bang) {
    if (source.length < start + 9) return -1;
    if (source.startsWith('<!--', start)) return after(source, '-->', start);
    if (source.startsWith('<![CDATA[', start)) return after(source, ']]>', start);
    throw new XmlError('The file declares a type of its own.');
  }
  // `>` inside a value does not end the tag. A single pass, because a value may contain many of them.
  let open = 0;
  for (let at = start; at < source.length; at++) {
    const sign = source.charCodeAt(at);
    if (open !== 0) open = sign === open ? 0 : open;
    else if (sign === greater) return at + 1;
    else if (sign === quote || sign === apostrophe) open = sign;
  }
  return -1;
}

function after(source: string, sign: string, start: number): number {
  const end = source.indexOf(sign, start);
  return end < 0 ? -1 : end + sign.length;
}

function readTag(source: string, start: number, end: number, reader: XmlReader): void {
  const first = source.charCodeAt(start + 1);
  if (first === question) return;
  if (first === bang) {
    if (source.startsWith('<![CDATA[', start)) reader.text?.(source.slice(start + 9, end - 3));
    return;
  }
  if (first === slash) {
    reader.close(localName(source.slice(start + 2, end - 1).trimEnd()));
    return;
  }
  const isEmpty = source.charCodeAt(end - 2) === slash;
  const tag = source.slice(start + 1, isEmpty ? end - 2 : end - 1);
  const space = tag.search(/\s/);
  const name = localName(space < 0 ? tag : tag.slice(0, space));
  reader.open(name, (wanted) => attributeOf(tag, wanted));
  if (isEmpty) reader.close(name);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function attributeOf(tag: string, wanted: string): string | undefined {
  const usual = tag.indexOf(` ${wanted}="`);
  if (usual >= 0) {
    const from = usual + wanted.length + 3;
    return unescaped(tag.slice(from, tag.indexOf('"', from)));
  }
  if (!tag.includes(wanted)) return undefined;
  for (let at = tag.indexOf(wanted); at >= 0; at = tag.indexOf(wanted, at + 1)) {
    if (!/\s/.test(tag[at - 1] ?? '')) continue;
    const given = /^\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(tag.slice(at + wanted.length));
    if (given) return unescaped(given[1] ?? given[2] ?? '');
  }
  return undefined;
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const escapes = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi;

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(escapes, (whole, hex: string | undefined, decimal: string | undefined, name: string) => {
    if (hex === undefined && decimal === undefined) return named[name.toLowerCase()] as string;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
