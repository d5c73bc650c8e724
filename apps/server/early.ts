import type { Bootstrap, bootstrapEarly as bootstrap } from './bootstrap.ts';
import { type OpenFile, openFile } from './kept-code.ts';
import { isPlainStart } from './plain-start.ts';
import { growYoungSpace } from './young-space.ts';

let opened: OpenFile | null = null;

/** Opens the small bundle that starts the embedded database. */
export function openBootstrap(): OpenFile {
  opened ??= openFile('bootstrap');
  return opened;
}

/** Enlarges the young generation, then starts. */
export function bootstrapEarly(argv: readonly string[]): Bootstrap | null {
  if (isPlainStart(argv)) growYoungSpace();
  const { bootstrapEarly } = openBootstrap().part('bootstrap') as { readonly bootstrapEarly: typeof bootstrap };
  return bootstrapEarly(argv);
}
