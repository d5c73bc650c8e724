import { invalidArgs } from '@kontor/protocol';

export interface UploadedFile {
  readonly name: string;
  readonly content: Buffer;
}

export interface Multipart {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, UploadedFile>;
}

const maxParts = 50;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface MultipartOptions {
  /** Fields whose bytes are kept as they are, as files without a name: they may have any encoding. */
  readonly raw?: readonly string[];
}

/**
 * A form with files (RFC 7578), from a body within the route's limit. A repeated name is rejected.
 * ```ts
 * const form = Buffer.from('--b\r\ncontent-disposition: form-data; name="city"\r\n\r\nOslo\r\n--b--');
 * export const { city } = parseMultipart('multipart/form-data; boundary=b', form).fields;
 * ```
 */
export function parseMultipart(contentType: string, body: Buffer, { raw = [] }: MultipartOptions = {}): Multipart {
  const fields = Object.create(null) as Record<string, string>;
  const files = new Map<string, UploadedFile>();
  for (const { name, fileName, content } of partsOf(boundaryOf(contentType), body)) {
    if (name in fields || files.has(name)) throw broken(`${name} is given twice.`);
    if (fileName === null && raw.includes(name)) files.set(name, { name: '', content });
    else if (fileName === null) fields[name] = decode(content);
    // A file field that was left empty is sent with an empty name.
    else if (fileName !== '' || content.length > 0) files.set(name, { name: fileName, content });
  }
  return { fields, files };
}

interface Part {
  readonly name: string;
  /** Null: a plain field. */
  readonly fileName: string | null;
  readonly content: Buffer;
}

function boundaryOf(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw broken('The form has no boundary.');
  return boundary;
}

function partsOf(boundary: string, body: Buffer): Part[] {
  const first = Buffer.from(`--${boundary}`);
  const between = Buffer.from(`\r\n--${boundary}`);
  let at = body.indexOf(first);
  if (at < 0) throw broken('The form has no parts.');
  at += first.length;
  const parts: Part[] = [];
  while (!isEnd(body, at)) {
    if (parts.length === maxParts) throw broken(`At most ${maxParts} fields.`);
    const head = body.indexOf('\r\n\r\n', at);
    const end = head < 0 ? -1 : body.indexOf(between, head + 2);
    if (end < 0) throw broken('The form is cut off.');
    parts.push(partOf(decode(body.subarray(at, head)), body.subarray(Math.min(head + 4, end), end)));
    at = end + between.length;
  }
  return parts;
}

/** After the last boundary come two dashes. */
function isEnd(body: Buffer, at: number): boolean {
  if (body[at] === 0x2d && body[at + 1] === 0x2d) return true;
  if (at >= body.length) throw broken('The form is cut off.');
  return false;
}

function partOf(head: string, content: Buffer): Part {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1];
  const name = disposition === undefined ? undefined : parameter(disposition, 'name');
  if (disposition === undefined || name === undefined || name === '') throw broken('A part of the form has no name.');
  return { name, fileName: parameter(disposition, 'filename') ?? encodedName(disposition), content };
}

/** Browsers write a quote inside a name as `%22`, others as `\"`. */
function parameter(disposition: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|;)\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(disposition);
  return match?.[1]?.replaceAll(/\\(.)/g, '$1').replaceAll('%22', '"');
}

/** `filename*=UTF-8''na%C3%AFve.csv`, as some programs send it alone; null if there is none. */
function encodedName(disposition: string): string | null {
  const encoded = /(?:^|;)\s*filename\*=utf-8'[^']*'([^\s;]*)/i.exec(disposition)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw broken('The name of a file cannot be read.');
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw broken('The form is not UTF-8.');
  }
}

function broken(message: string) {
  return invalidArgs(message, { field: 'body' });
}
