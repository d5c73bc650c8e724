import type { Begun, beginEarly as begin } from './begin.ts';
import { type OpenFile, openFile } from './kept-code.ts';
import { isPlainStart } from './plain-start.ts';
import { growYoungSpace } from './young-space.ts';

let opened: OpenFile | null = null;

/** What begins the embedded database, which the build puts into a small file of its own. */
export function openBegin(): OpenFile {
  opened ??= openFile('begin');
  return opened;
}

/** Makes room for a start, and begins it. */
export function beginEarly(argv: readonly string[]): Begun | null {
  if (isPlainStart(argv)) growYoungSpace();
  const { beginEarly } = openBegin().part('begin') as { readonly beginEarly: typeof begin };
  return beginEarly(argv);
}
