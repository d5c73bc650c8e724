import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Taken at every start, so this file reads nothing but Node's own modules, and waits for nothing between a thousand files. */
const ownRoot = fileURLToPath(new URL('..', import.meta.url));
export const stampFile = 'dist/.stamp';
export const webStampFile = 'dist/.web-stamp';
const folders = ['packages', 'apps/server', 'addons', 'scripts'];
const webFolders = ['apps/web', 'packages/protocol', 'packages/kernel/addons/browser'];
const skipped = new Set(['node_modules', 'dist', 'tests', 'client']);

/** A digest of the names, sizes and times of what the build reads. */
export function sourceStamp(root) {
  const hash = createHash('sha256').update(process.version);
  for (const folder of folders) addFolder(hash, join(root, folder), /\.(ts|mjs|json)$/);
  // Packages from npm are part of the bundle: other versions make another one.
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** A digest of what the client is built from. */
export function webStamp() {
  const hash = createHash('sha256').update(process.version);
  for (const folder of [...webFolders.map((path) => join(ownRoot, path)), ...clientFolders()])
    addFolder(hash, folder, /\.(tsx?|css|json|svg|png|webp)$/);
  for (const script of ['build-web', 'build-addon-clients'])
    hash.update(readFileSync(join(ownRoot, `scripts/${script}.mjs`)));
  return hash.digest('hex');
}

/** Folders with the browser code of shipped addons. */
export function clientFolders() {
  return readdirSync(join(ownRoot, 'addons'))
    .map((name) => join(ownRoot, 'addons', name, 'client'))
    .filter((folder) => existsSync(folder));
}

/** Whether the usual build of the server is of these sources. */
export function isServerBuilt(root) {
  const built = stampIn(join(root, stampFile));
  return built !== '' && built === sourceStamp(root);
}

export function isWebBuilt() {
  const built = stampIn(join(ownRoot, webStampFile));
  return built !== '' && built === webStamp();
}

function stampIn(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function addFolder(hash, folder, pattern) {
  const entries = readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (skipped.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addFolder(hash, path, pattern);
    else if (pattern.test(entry.name)) {
      const { size, mtimeMs } = statSync(path);
      hash.update(`${path}\0${size}\0${mtimeMs}\n`);
    }
  }
}
