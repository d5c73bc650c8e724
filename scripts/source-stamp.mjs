import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverFolders, skippedByAll, stampFile, webStampFile } from './check-sources.cjs';

/** Taken by a start for which the last look is not enough: it waits for nothing between a thousand files. */
const ownRoot = fileURLToPath(new URL('..', import.meta.url));
const webFolders = ['apps/web', 'packages/protocol', 'packages/kernel/addons/browser'];
const skipped = new Set([...skippedByAll, 'client']);

/** A digest of the names, sizes and times of the files that the build reads. */
export function sourceStamp(root) {
  const found = serverFolders.map((folder) => filesIn(join(root, folder), /\.(ts|mjs|cjs|json)$/));
  // Packages from npm are part of the bundle: other versions make another one.
  const asked = ['package.json', 'package-lock.json'].map((file) => readFileSync(join(root, file)));
  return digest([...found, ...asked]);
}

/** A digest of the sources of the client. */
export function webStamp() {
  const own = [...webFolders.map((path) => join(ownRoot, path)), ...clientFolders(), ...addonFolders('page')];
  const found = own.map((folder) => filesIn(folder, /\.(tsx?|css|json|svg|png|webp)$/));
  const scripts = ['build-web', 'build-addon-clients'].map((name) =>
    readFileSync(join(ownRoot, `scripts/${name}.mjs`)),
  );
  return digest([...found, ...scripts]);
}

/** Folders with the browser code of shipped addons. */
export function clientFolders() {
  return addonFolders('client');
}

function addonFolders(own) {
  return readdirSync(join(ownRoot, 'addons'))
    .map((name) => join(ownRoot, 'addons', name, own))
    .filter((folder) => existsSync(folder));
}

/** Whether the current build of the server is from these sources. */
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

/** Reading only names is faster than entries with types: a name without a dot may be a folder. */
function filesIn(folder, pattern) {
  let found = '';
  for (const name of readdirSync(folder).sort()) {
    if (skipped.has(name)) continue;
    const path = `${folder}/${name}`;
    if (pattern.test(name)) {
      const { size, mtimeMs } = statSync(path);
      found += `${path}\0${size}\0${mtimeMs}\n`;
    } else if (!name.includes('.') && statSync(path).isDirectory()) found += filesIn(path, pattern);
  }
  return found;
}

function digest(parts) {
  const hash = createHash('sha256').update(process.version);
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
