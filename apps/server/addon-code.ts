import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Addon, type AddonDefinition, type AddonRoot, type Config, loadAddonCode } from '@kontor/kernel';
import { rememberCode } from './remember-code.ts';

/** The build puts the server, the door and the shipped addons side by side; their folders stay in the source tree. */
const built = new URL('.', import.meta.url);
const shippedFolder = fileURLToPath(new URL('../../addons', import.meta.url));

export function addonRoots(config: Config): readonly AddonRoot[] {
  return [
    { folder: shippedFolder, isShipped: true },
    ...config.addonsPath.map((folder) => ({ folder, isShipped: false })),
  ];
}

/** Where code of addons from outside is kept once it is compiled. */
export function addonCache({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'addon-cache');
}

export function addonLoader(config: Config): (addon: Addon) => Promise<AddonDefinition> {
  const shippedUrl = (name: string) => new URL(`addons/${name}.js`, built);
  return rememberCode((addon) =>
    loadAddonCode(addon, {
      cacheDir: addonCache(config),
      addonDoor: new URL('door.js', built).href,
      addonUrl: async (name) => {
        const file = shippedUrl(name);
        return existsSync(file) ? pathToFileURL(fileURLToPath(file)).href : null;
      },
      shippedLoader: async (name) => {
        const module = (await import(shippedUrl(name).href)) as { default: AddonDefinition };
        return module.default;
      },
    }),
  );
}
