import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';

const debianFolder = '/usr/lib/postgresql';

/** pgbench from the PATH or from Debian's folders, newest first; null with the remedy said once. */
export function findPgbench() {
  const folders = [...(process.env.PATH ?? '').split(':').filter(Boolean), ...debianFolders()];
  const found = folders.map((folder) => join(folder, 'pgbench')).find(isProgram);
  if (found) return found;
  console.log('pgbench is not here, so there is no limit to compare with. Debian: apt-get install postgresql-contrib');
  return null;
}

function debianFolders() {
  try {
    const versions = readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(debianFolder, version, 'bin'));
  } catch {
    return [];
  }
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
