import type { Begun, beginEarly as begin } from './begin.ts';
import { type OpenFile, openFile } from './kept-code.ts';

let opened: OpenFile | null = null;

/** What begins the embedded database, which the build puts into a small file of its own. */
export function openBegin(): OpenFile {
  opened ??= openFile('begin');
  return opened;
}

export function beginEarly(argv: readonly string[]): Begun | null {
  const { beginEarly } = openBegin().part('begin') as { readonly beginEarly: typeof begin };
  return beginEarly(argv);
}
