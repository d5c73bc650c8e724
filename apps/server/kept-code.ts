import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const require = createRequire(import.meta.url);

export type Part = Readonly<Record<string, unknown>>;
/** What `scripts/build-start.mjs` puts around the code. */
type Code = (
  parts: Record<string, () => Part>,
  require: (name: string) => unknown,
  importModule: (name: string) => Promise<unknown>,
  ownUrl: string,
) => void;

export interface OpenFile {
  /** The exports of one of its entries. */
  part(name: string): Part;
  /** Whether V8 accepted the cached code. */
  readonly isKept: boolean;
  keep(): void;
}

/**
 * Runs a file in `dist/start` with the code that V8 compiled at the build: reading and compiling takes longer than the rest of a
 * start. V8 accepts only code from the same version, with the same settings, for a source of the same length; if the source is
 * newer, or there is no cached code, it compiles.
 */
export function openFile(name: string): OpenFile {
  const sourceFile = fileURLToPath(new URL(`./${name}.cjs`, import.meta.url));
  const codeFile = `${sourceFile}.code`;
  const kept = statSync(codeFile, { throwIfNoEntry: false });
  const isNewer = kept !== undefined && kept.mtimeMs >= statSync(sourceFile).mtimeMs;
  const cachedData = isNewer ? readFileSync(codeFile) : undefined;
  const script = new Script(readFileSync(sourceFile, 'latin1'), { filename: sourceFile, cachedData });
  const parts: Record<string, () => Part> = {};
  const folder = new URL('.', import.meta.url).href;
  /** Modules beside it re-export its parts. It provides them itself, so that Node reads no module for them. */
  const importModule = async (path: string): Promise<unknown> => {
    const open = path.startsWith(folder) ? parts[path.slice(folder.length).replace(/\.js$/, '')] : undefined;
    // Cached code has lost the information who imports it, so imports are resolved here.
    return open ? open() : import(path);
  };
  (script.runInThisContext() as Code)(parts, require, importModule, new URL('./main.js', import.meta.url).href);
  return {
    part(wanted) {
      const open = parts[wanted];
      if (!open) throw new Error(`${name}.cjs has no part "${wanted}".`);
      return open();
    },
    isKept: script.cachedDataRejected === false,
    keep() {
      const half = `${codeFile}.${process.pid}`;
      writeFileSync(half, script.createCachedData());
      renameSync(half, codeFile);
    },
  };
}
