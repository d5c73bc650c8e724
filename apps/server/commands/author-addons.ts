import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type AddonRoot, type Config, type OpenAddons, openAddons } from '@kontor/kernel';
import { systemParts } from '@kontor/parts';
import { addonLoader, addonRoots, shippedFolder } from '../addon-code.ts';
import { cacheOf } from './check-addon.ts';

/**
 * The addons that an author in a folder can use, with the addon of that folder, without a database: all of them, or those named with
 * everything that they install.
 */
export function authorAddons(config: Config, folder: string, names?: readonly string[]): Promise<OpenAddons> {
  const isOwn = existsSync(join(folder, 'manifest.json')) && !resolve(folder).startsWith(shippedFolder);
  const own: readonly AddonRoot[] = isOwn ? [{ folder: resolve(folder), isShipped: false }] : [];
  const roots = [...addonRoots(config), ...own];
  return openAddons({ roots, codeOf: addonLoader({ ...config, dataDir: cacheOf(folder) }), parts: systemParts }, names);
}
