import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Addon,
  type AddonDefinition,
  addonFilesPath,
  clientEntry,
  compileClient,
  type Kernel,
} from '@kontor/kernel';
import type { ClientAddon } from '@kontor/protocol';
import { addonCache } from '../addon-code.ts';
import { staticPath } from './client-assets.ts';

/** The browser code of modules. */
export interface AddonClients {
  /** For present modules, in dependency order. */
  present(): Promise<readonly ClientAddon[]>;
  /** Its import map. */
  imports(): Promise<Readonly<Record<string, string>>>;
}

/** `addons.json` of the client's build: browser code of the shipped addons, and their shared code. */
interface BuiltAddons {
  readonly imports: Readonly<Record<string, string>>;
  readonly addons: Readonly<Record<string, { readonly script: string; readonly styles: readonly string[] }>>;
}
const nothing: BuiltAddons = { imports: {}, addons: {} };

export function createAddonClients(kernel: Kernel, clientFolder: string): AddonClients {
  const built = watchBuiltAddons(clientFolder);
  const cacheDir = addonCache(kernel.config);
  const filesOf = async (addon: Addon) => {
    if (!addon.isShipped) return under(`${addonFilesPath}${addon.name}/client/`, await compileClient(addon, cacheDir));
    return under(staticPath, (await built()).addons[addon.name] ?? null);
  };
  const describe = async ([module, definition]: readonly [string, AddonDefinition]): Promise<
    readonly ClientAddon[]
  > => {
    const addon = kernel.catalogue.get(module);
    if (!addon || clientEntry(addon) === null) return [];
    const files = await filesOf(addon).catch((error: Error) => {
      kernel.log.error({ module, error: error.message }, 'the browser code of a module does not compile');
      return null;
    });
    return files ? [{ module, label: addon.manifest.label, ...files, ...namesOf(definition) }] : [];
  };
  return {
    present: async () => (await Promise.all([...kernel.loaded.definitions].map(describe))).flat(),
    imports: async () => addresses((await built()).imports),
  };
}

function namesOf({ widgets, views }: AddonDefinition): Pick<ClientAddon, 'widgets' | 'views'> {
  const types = Object.entries(views).map(([type, { label, icon = 'layers' }]) => ({ type, label, icon }));
  return { widgets: Object.keys(widgets), views: types };
}

function under(path: string, files: { readonly script: string; readonly styles: readonly string[] } | null) {
  return files && { script: `${path}${files.script}`, styles: files.styles.map((name) => `${path}${name}`) };
}

function addresses(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, `${staticPath}${file}`]));
}

/** Read again whenever the build changed it. */
function watchBuiltAddons(folder: string): () => Promise<BuiltAddons> {
  const file = join(folder, 'addons.json');
  let known = { at: -1, built: nothing };
  return async () => {
    const at = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => -1,
    );
    if (at !== known.at) known = { at, built: at < 0 ? nothing : JSON.parse(await readFile(file, 'utf8')) };
    return known.built;
  };
}
