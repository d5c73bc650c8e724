import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of Kontor: the source tree, or the package, whose server is at the same depth as this file. */
export const kontorRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The source tree runs addons from source, so that a test sees the code as it is; a package has no source. */
export const isSourceTree = existsSync(join(kontorRoot, 'packages/addon/index.ts'));

/** Folders with further addons, or of further addons, for every test of a run: `kontor test` names them. */
export function addonsOfRun(): readonly string[] {
  return (process.env.KONTOR_TEST_ADDONS ?? '').split(',').filter((folder) => folder !== '');
}

/** Whether a folder of `addons_path` has the addon of this name, or is it. */
export function holdsAddon(folder: string, name: string): boolean {
  return existsSync(join(folder, name)) || (basename(folder) === name && existsSync(join(folder, 'manifest.json')));
}
