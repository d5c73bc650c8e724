import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type PooledDatabase, parseDsn } from '@kontor/database';
import {
  type Addon,
  type AddonDefinition,
  type AddonRoot,
  addonOf,
  createKernel,
  discoverAddons,
  type Kernel,
  type KernelLog,
  loadAddonCode,
} from '@kontor/kernel';
import { systemParts } from '@kontor/parts';
import { readConfig } from '@kontor/server/config';
import { addonsOfRun, isSourceTree, kontorRoot } from './place.ts';

export interface KernelPlace {
  readonly dsn: string;
  /** Folders with further addons, or of further addons; absent: those of the run. */
  readonly addonsPath?: readonly string[];
  /** Further flags and environment for the configuration. */
  readonly env?: Readonly<Record<string, string>>;
  /** Writes never use the one-statement path. Also set for a whole run by KONTOR_TEST_ORDINARY=1. */
  readonly isOrdinary?: boolean;
}

const shipped = join(kontorRoot, 'addons');
const silent: KernelLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A kernel on an existing database, with the shipped addons from source and those of the given folders. */
export async function openKernel(
  database: PooledDatabase,
  { dsn, addonsPath = addonsOfRun(), env, isOrdinary = process.env.KONTOR_TEST_ORDINARY === '1' }: KernelPlace,
): Promise<Kernel> {
  const config = readConfig({
    argv: [],
    env: { KONTOR_DB_DSN: dsn, KONTOR_ADDONS_PATH: addonsPath.join(','), ...env },
    cwd: process.cwd(),
    readFile: () => '',
  });
  const roots: AddonRoot[] = [{ folder: shipped, isShipped: true }];
  if (config.addonsDir !== '') roots.push({ folder: config.addonsDir, isShipped: false, isAdded: true });
  for (const folder of addonsPath) roots.push({ folder, isShipped: false });
  const connection = parseDsn(dsn);
  return createKernel({
    config,
    database,
    connection,
    replica: null,
    parts: systemParts,
    roots,
    codeOf: loadSource,
    log: silent,
    isOrdinary,
  });
}

/** The door that addons share with the kernel, the code of shipped addons, and the folder for compiled code of others. */
const [door, cacheDir] = isSourceTree
  ? [join(kontorRoot, 'packages/addon/index.ts'), join(kontorRoot, '.cache/addons')]
  : [join(kontorRoot, 'dist/server/door.js'), join(process.cwd(), 'node_modules/.cache/kontor')];

function codeFile(name: string): string {
  return isSourceTree ? join(shipped, name, 'addon.ts') : join(kontorRoot, 'dist/server/addons', `${name}.js`);
}

/** The code of the addon in a folder, shipped or not. */
export async function addonInFolder(folder: string): Promise<AddonDefinition> {
  const isShipped = dirname(folder) === shipped;
  const catalogue = await discoverAddons([{ folder: isShipped ? shipped : folder, isShipped }]);
  return loadSource(addonOf(catalogue, basename(folder)));
}

/** The folder for compiled code of external addons, for addons that import them. */
const outside = new Map<string, string>();

async function loadSource(addon: Addon): Promise<AddonDefinition> {
  return loadAddonCode(addon, {
    cacheDir,
    addonDoor: pathToFileURL(door).href,
    keepUrl: (name, url) => outside.set(name, url),
    addonUrl: async (name) =>
      outside.get(name) ?? (existsSync(codeFile(name)) ? pathToFileURL(codeFile(name)).href : null),
    shippedLoader: async (name) => {
      const module = (await import(/* @vite-ignore */ codeFile(name))) as { default: AddonDefinition };
      return module.default;
    },
  });
}
