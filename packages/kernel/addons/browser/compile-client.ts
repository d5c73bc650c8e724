import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Addon } from '../catalogue.ts';
import { asAddonError, stampOfFolder, writeAtomically } from '../compile-addon.ts';
import { withCompiler } from '../with-compiler.ts';
import { bundleClient, clientEntry } from './bundle-client.ts';

export interface CompiledClient {
  readonly script: string;
  readonly styles: readonly string[];
}

/** The folder for the compiled browser code of external addons, in the cache of addon code. */
export function compiledClients(cacheDir: string): string {
  return join(cacheDir, 'client');
}

/** The browser code of an addon outside the build, compiled again only when a file of its `client/` changed; null: it has none. */
export async function compileClient(addon: Addon, cacheDir: string): Promise<CompiledClient | null> {
  if (clientEntry(addon) === null) return null;
  const folder = compiledClients(cacheDir);
  const stamp = await stampOfFolder(join(addon.folder, 'client'));
  const note = join(folder, `${addon.name}.note.json`);
  const known = await readNote(note);
  if (known?.stamp === stamp) return known;
  const { script, styles, files } = await withCompiler(() => bundleClient(addon)).catch((error) => {
    throw asAddonError(addon, error, 'client/index.ts');
  });
  await mkdir(folder, { recursive: true });
  for (const { name, content } of files) {
    await writeAtomically(join(folder, name), content);
    await writeAtomically(join(folder, `${name}.gz`), await promisify(gzip)(content));
  }
  await writeAtomically(note, JSON.stringify({ stamp, script, styles }));
  return { script, styles };
}

async function readNote(file: string): Promise<(CompiledClient & { readonly stamp: string }) | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : JSON.parse(text);
}
