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

/** What one of its entries exports. */
export function part(name: string): Part {
  return openServer().part(name);
}

/** The embedded database begins first, if it has not. Traces are mapped to the sources where those of `dist/server` run. */
export async function main(
  argv: readonly string[],
  bootstrapped: Bootstrap | null = bootstrapEarly(argv),
): Promise<string | null> {
  const mapped = new URL('../server/main.js', import.meta.url).href;
  const code = process.sourceMapsEnabled ? await import(mapped) : part('main');
  return (code as { readonly main: typeof runMain }).main(argv, bootstrapped);
}

/** Whether V8 took back all that was kept. */
export function isKept(): boolean {
  return openBootstrap().isKept && openServer().isKept;
}

/** Keeps what V8 has made of it until now, with all functions that have run. */
export function keepCode(): void {
  // Only the configuration is read: with a database of one's own there is none to begin.
  bootstrapEarly(['-d', 'postgres://localhost/kontor']);
  openBootstrap().keep();
  openServer().keep();
}
