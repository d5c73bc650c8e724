import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type Addon,
  type AddonDefinition,
  type AddonRoot,
  type Config,
  loadAddonCode,
  stampOfFolder,
} from '@kontor/kernel';

/** The build puts the server, the door and the shipped addons side by side; their folders stay in the source tree. */
const built = new URL('.', import.meta.url);
export const shippedFolder = fileURLToPath(new URL('../../addons', import.meta.url));

/** Names of the client's icons; null if it has not been built. */
export function clientIcons(): ReadonlySet<string> | null {
  const file = new URL('../../dist/web/icons.json', import.meta.url);
  return existsSync(file) ? new Set(JSON.parse(readFileSync(file, 'utf8')) as string[]) : null;
}

export function addonRoots(config: Config): readonly AddonRoot[] {
  return [
    { folder: shippedFolder, isShipped: true },
    { folder: addedFolder(config), isShipped: false, isAdded: true },
    ...config.addonsPath.map((folder) => ({ folder, isShipped: false })),
  ];
}

/** The folder of addons that were added by command or in the browser. */
export function addedFolder({ addonsDir, dataDir }: Pick<Config, 'addonsDir' | 'dataDir'>): string {
  return addonsDir || join(dataDir, 'addons');
}

/** The folder for compiled code of external addons. */
export function addonCache({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'addon-cache');
}

export function addonLoader(config: Config): (addon: Addon) => Promise<AddonDefinition> {
  const shippedUrl = (name: string) => new URL(`addons/${name}.js`, built);
  // Addons are loaded after their dependencies, and may import them wherever they come from.
  const outside = new Map<string, string>();
  const load: Load = (addon) =>
    loadAddonCode(addon, {
      cacheDir: addonCache(config),
      addonDoor: new URL('door.js', built).href,
      keepUrl: (name, url) => outside.set(name, url),
      addonUrl: async (name) => {
        const own = outside.get(name);
        if (own !== undefined) return own;
        const file = shippedUrl(name);
        return existsSync(file) ? pathToFileURL(fileURLToPath(file)).href : null;
      },
      shippedLoader: async (name) => {
        const module = (await import(shippedUrl(name).href)) as { default: AddonDefinition };
        return module.default;
      },
    });
  return rememberCode(load, outside);
}

type Load = (addon: Addon) => Promise<AddonDefinition>;

/**
 * The same files give the same code: an external addon is compiled again only if one of its files changed, so that a change of
 * modules elsewhere is applied quickly, however many such addons there are.
 */
function rememberCode(load: Load, outside: ReadonlyMap<string, string>): Load {
  const known = new Map<string, { readonly stamp: string; readonly code: Promise<AddonDefinition> }>();
  return async (addon) => {
    if (addon.isShipped) return load(addon);
    // If the code of an addon changes, everything that imports it does too.
    const below = addon.manifest.depends.map((name) => outside.get(name));
    const stamp = [await stampOfFolder(addon.folder), ...below].join('\n');
    const earlier = known.get(addon.folder);
    if (earlier?.stamp === stamp) return earlier.code;
    const code = load(addon);
    known.set(addon.folder, { stamp, code });
    code.catch(() => known.delete(addon.folder));
    return code;
  };
}
