import { existsSync } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { KontorError } from '@kontor/protocol';
import { AddonError } from './addon-error.ts';
import type { AddedNote, Addon, Catalogue } from './catalogue.ts';
import { readManifest } from './manifest.ts';

export interface AddonRoot {
  readonly folder: string;
  readonly isShipped: boolean;
  /**
   * Addons added by `kontor add`: links to versions, each with a metadata file beside it. The folder may not exist yet.
   */
  readonly isAdded?: true;
}

/** The metadata file is beside the folder of the version, so that it changes with it. */
export const addedNoteFile = 'added.json';

/** Finds the addons under the given roots; if two have the same name, the later root wins. */
export async function discoverAddons(roots: readonly AddonRoot[]): Promise<Catalogue> {
  const found = new Map<string, Addon>();
  for (const root of roots) {
    for (const addon of await addonsUnder(root)) found.set(addon.name, addon);
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The addons in a folder; a folder that is itself an addon counts as that one, whatever else it contains. */
async function addonsUnder(root: AddonRoot): Promise<readonly Addon[]> {
  const own = root.isShipped || root.isAdded ? null : await addonIn(resolve(root.folder), false);
  if (own) return [own];
  const entries = await readdir(root.folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (root.isAdded && error.code === 'ENOENT') return [];
    throw new KontorError('USER_ERROR', `The addons folder ${root.folder} cannot be read (${error.code}).`);
  });
  const folders = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.'));
  const find = root.isAdded ? addedIn : (folder: string) => addonIn(folder, root.isShipped);
  const addons = await Promise.allSettled(folders.map((entry) => find(resolve(root.folder, entry.name))));
  throwTogether(addons.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])));
  return addons.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
}

/** Mistakes of several addons in one error; any other failure alone. */
function throwTogether(failures: readonly unknown[]): void {
  const other = failures.find((failure) => !(failure instanceof AddonError));
  if (other !== undefined) throw other;
  const [first, ...rest] = failures as readonly AddonError[];
  if (!first) return;
  first.also = [...first.also, ...rest.flatMap((error) => [error, ...error.also])];
  throw first;
}

async function addonIn(folder: string, isShipped: boolean): Promise<Addon | null> {
  const manifest = await readManifest(folder);
  if (!manifest) return null;
  return Object.freeze({
    name: manifest.name,
    folder,
    isShipped,
    manifest,
    hasCode: existsSync(join(folder, 'addon.ts')),
  });
}

/** The version that a link refers to now: code that loads it keeps it, even if the link changes in the meantime. */
async function addedIn(link: string): Promise<Addon | null> {
  const folder = await realpath(link).catch(() => null);
  const addon = folder === null ? null : await addonIn(folder, false);
  if (folder === null || !addon) return null;
  const note = await readFile(join(dirname(folder), addedNoteFile), 'utf8').catch(() => null);
  return note === null ? addon : Object.freeze({ ...addon, added: JSON.parse(note) as AddedNote });
}
