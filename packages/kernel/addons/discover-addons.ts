import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { KontorError } from '@kontor/protocol';
import type { Addon, Catalogue } from './catalogue.ts';
import { readManifest } from './manifest.ts';

export interface AddonRoot {
  readonly folder: string;
  readonly isShipped: boolean;
}

/** Finds the addons under the given roots; where two have one name, the later root wins. */
export async function discoverAddons(roots: readonly AddonRoot[]): Promise<Catalogue> {
  const found = new Map<string, Addon>();
  for (const root of roots) {
    for (const addon of await addonsUnder(root)) found.set(addon.name, addon);
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The addons in a folder; a folder that is an addon itself stands for that one, whatever lies beside it. */
async function addonsUnder(root: AddonRoot): Promise<readonly Addon[]> {
  const own = root.isShipped ? null : await addonIn(resolve(root.folder), false);
  if (own) return [own];
  const entries = await readdir(root.folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new KontorError('USER_ERROR', `The addons folder ${root.folder} cannot be read (${error.code}).`);
  });
  const folders = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.'));
  const addons = await Promise.all(folders.map((entry) => addonIn(resolve(root.folder, entry.name), root.isShipped)));
  return addons.filter((addon) => addon !== null);
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
