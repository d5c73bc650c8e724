import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/**
 * Runs the server from `dist/start`, where the build puts all of its code into one file, and beside it what V8 made of it: to read
 * and compile the code takes longer than all that a start does with it. V8 takes back only what the same version of it has made,
 * with the same settings, of a source of the same length; where the source is newer, or nothing was kept, it compiles.
 */
const sourceFile = fileURLToPath(new URL('./server.cjs', import.meta.url));
const codeFile = `${sourceFile}.code`;
const require = createRequire(import.meta.url);

type Part = Readonly<Record<string, unknown>>;
/** What `scripts/build-start.mjs` puts around the code. */
type Code = (
  parts: Record<string, () => Part>,
  require: (name: string) => unknown,
  importModule: (name: string) => Promise<unknown>,
  ownUrl: string,
) => void;

const script = new Script(readFileSync(sourceFile, 'latin1'), { filename: sourceFile, cachedData: keptCode() });
const parts: Record<string, () => Part> = {};
(script.runInThisContext() as Code)(
  parts,
  require,
  // Kept code has lost who imports: it is done here.
  (name) => import(name),
  new URL('./main.js', import.meta.url).href,
);

/** What one of its entries exports. */
export function part(name: string): Part {
  const open = parts[name];
  if (!open) throw new Error(`The server's code has no part "${name}".`);
  return open();
}

/** Whether V8 took back what was kept. */
export const isKept = script.cachedDataRejected === false;

/** Keeps what V8 has made of it until now, with all functions that have run. */
export function keepCode(): void {
  const half = `${codeFile}.${process.pid}`;
  writeFileSync(half, script.createCachedData());
  renameSync(half, codeFile);
}

function keptCode(): Buffer | undefined {
  const kept = statSync(codeFile, { throwIfNoEntry: false });
  return kept && kept.mtimeMs >= statSync(sourceFile).mtimeMs ? readFileSync(codeFile) : undefined;
}
