import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { AddonError, type Place } from '../addon-error.ts';
import type { DataFile } from './list-data-files.ts';

/** A picture or another file of the addon, as base64: `static/desk.png`, from the addon's folder. */
export function fileValue(file: DataFile, name: string, place: Place): string {
  if (name === '') return '';
  const folder = file.path.slice(0, -file.file.length);
  const path = join(folder, name);
  if (relative(folder, path).startsWith('..')) throw new AddonError(place, `"${name}" is not a file of the addon.`);
  try {
    return readFileSync(path).toString('base64');
  } catch {
    throw new AddonError(place, `There is no file "${name}" in the addon's folder.`);
  }
}
