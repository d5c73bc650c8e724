import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface AuthorPlace {
  /** The full path of the author's file. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Source maps of compiled addons by the path of their code; parsed when an error first needs one. */
const maps = new Map<string, { readonly json: string; parsed: SourceMap | null }>();

export function rememberMap(url: string, json: string): void {
  maps.set(fileURLToPath(url), { json, parsed: null });
}

/** The author's source position of compiled code; null if it is unknown. */
export function authorPlace(file: string, line: number, column: number): AuthorPlace | null {
  const known = maps.get(file);
  if (!known) return null;
  known.parsed ??= new SourceMap(JSON.parse(known.json));
  const entry = known.parsed.findEntry(line - 1, column - 1);
  if (!('originalSource' in entry)) return null;
  const source = resolve(dirname(file), entry.originalSource);
  return { file: source, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}

const frame = /(?:file:\/\/)?(\/[^\s()]*?\.mjs):(\d+):(\d+)/g;

/** A stack with the author's file and line for frames in compiled addons. */
export function authorStack(stack: string): string {
  if (maps.size === 0) return stack;
  return stack.replaceAll(frame, (whole, file: string, line: string, column: string) => {
    const place = authorPlace(decodeURI(file), Number(line), Number(column));
    return place ? `${place.file}:${place.line}:${place.column}` : whole;
  });
}

/**
 * The position in an addon where an error comes from: the topmost frame in an author's file, of the error or its cause.
 */
export function placeOfError(error: unknown): AuthorPlace | null {
  if (!(error instanceof Error)) return null;
  for (const [, file = '', line, column] of (error.stack ?? '').matchAll(frame)) {
    const place = authorPlace(decodeURI(file), Number(line), Number(column));
    if (place) return place;
  }
  return placeOfError(error.cause);
}
