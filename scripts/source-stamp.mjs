import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export const stampFile = 'dist/.stamp';
const folders = ['packages', 'apps/server', 'addons', 'scripts'];
const skipped = new Set(['node_modules', 'dist', 'tests', 'client']);

/** A digest of the names, sizes and times of what the build reads: cheap enough to take at every start. */
export async function sourceStamp(root) {
  const hash = createHash('sha256').update(process.version);
  for (const folder of folders) await addFolder(hash, join(root, folder));
  // Packages from npm are part of the bundle: other versions make another one.
  for (const file of ['package.json', 'package-lock.json']) hash.update(await readFile(join(root, file)));
  return hash.digest('hex');
}

/** Whether the usual build of the server is of these sources. */
export async function isServerBuilt(root) {
  const built = await readFile(join(root, stampFile), 'utf8').catch(() => '');
  return built !== '' && built === (await sourceStamp(root));
}

export async function addFolder(hash, folder, pattern = /\.(ts|mjs|json)$/) {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (skipped.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await addFolder(hash, path, pattern);
    else if (pattern.test(entry.name)) {
      const { size, mtimeMs } = await stat(path);
      hash.update(`${path}\0${size}\0${mtimeMs}\n`);
    }
  }
}
