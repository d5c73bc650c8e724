import type { Bootstrap } from './bootstrap.ts';
import { bootstrapEarly, openBootstrap } from './early.ts';
import { type OpenFile, openFile, type Part } from './kept-code.ts';
import type { main as runMain } from './main.ts';

let opened: OpenFile | null = null;

/** All of the server's code, which the build puts into one file. */
function openServer(): OpenFile {
  opened ??= openFile('server');
  return opened;
}

/** The exports of one of its entries. */
export function part(name: string): Part {
  return openServer().part(name);
}

/** Starts the embedded database first, if it is not running. Traces are mapped to the sources as in `dist/server`. */
export async function main(
  argv: readonly string[],
  bootstrapped: Bootstrap | null = bootstrapEarly(argv),
): Promise<string | null> {
  const mapped = new URL('../server/main.js', import.meta.url).href;
  const code = process.sourceMapsEnabled ? await import(mapped) : part('main');
  return (code as { readonly main: typeof runMain }).main(argv, bootstrapped);
}

/** Whether V8 accepted all cached code. */
export function isKept(): boolean {
  return openBootstrap().isKept && openServer().isKept;
}

/** Stores the code that V8 has compiled until now, with all functions that have run. */
export function keepCode(): void {
  // Reads only the configuration: with an external database there is nothing to start.
  bootstrapEarly(['-d', 'postgres://localhost/kontor']);
  openBootstrap().keep();
  openServer().keep();
}
