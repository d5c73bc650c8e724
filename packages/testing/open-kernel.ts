import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PooledDatabase, parseDsn } from '@kontor/database';
import {
  type Addon,
  type AddonDefinition,
  type AddonRoot,
  createKernel,
  type Kernel,
  type KernelLog,
  loadAddonCode,
} from '@kontor/kernel';
import { systemParts } from '@kontor/parts';
import { readConfig } from '@kontor/server/config';

export interface KernelPlace {
  readonly dsn: string;
  /** Folders with further addons. */
  readonly addonsPath?: readonly string[];
  /** Further flags and environment for the configuration. */
  readonly env?: Readonly<Record<string, string>>;
}

const shipped = fileURLToPath(new URL('../../addons', import.meta.url));
const silent: KernelLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A kernel on a database as it is, with the shipped addons from source and those of the given folders. */
export async function openKernel(
  database: PooledDatabase,
  { dsn, addonsPath = [], env }: KernelPlace,
): Promise<Kernel> {
  const config = readConfig({
    argv: [],
    env: { KONTOR_DB_DSN: dsn, KONTOR_ADDONS_PATH: addonsPath.join(','), ...env },
    cwd: process.cwd(),
    readFile: () => '',
  });
  const roots: AddonRoot[] = [{ folder: shipped, isShipped: true }];
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
  });
}

/** Shipped addons run from source in tests, so that a test sees the code as it is. */
async function loadSource(addon: Addon): Promise<AddonDefinition> {
  const door = new URL('../addon/index.ts', import.meta.url).href;
  const sourceOf = (name: string) => join(shipped, name, 'addon.ts');
  return loadAddonCode(addon, {
    cacheDir: join(fileURLToPath(new URL('../../.cache', import.meta.url)), 'addons'),
    addonDoor: door,
    addonUrl: async (name) => (existsSync(sourceOf(name)) ? `file://${sourceOf(name)}` : null),
    shippedLoader: async (name) => {
      const module = (await import(/* @vite-ignore */ sourceOf(name))) as { default: AddonDefinition };
      return module.default;
    },
  });
}
