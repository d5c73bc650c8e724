import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase, type PooledDatabase, parseDsn } from '@kontor/database';
import {
  type Addon,
  type AddonDefinition,
  type AddonRoot,
  createKernel,
  initialise,
  installModules,
  type Kernel,
  type KernelLog,
  loadAddonCode,
  readConfig,
} from '@kontor/kernel';
import type { Actor, Env } from '@kontor/orm';
import { createTestDatabase } from './test-database.ts';

export interface TestKernelOptions {
  /** Installed on top of what is required. */
  readonly modules?: readonly string[];
  readonly demo?: boolean;
  /** Folders with further addons. */
  readonly addonsPath?: readonly string[];
  /** Further flags and environment for the configuration. */
  readonly env?: Readonly<Record<string, string>>;
  /** False: as before the first-run setup. */
  readonly isSetUp?: boolean;
}

export interface TestKernel {
  readonly kernel: Kernel;
  readonly dsn: string;
  readonly admin: Actor;
  /** A new user in the given groups, acting in the main company. */
  person(name: string, groups?: readonly string[], values?: Readonly<Record<string, unknown>>): Promise<Actor>;
  /** One unit of work in the administrator's name, or another's. */
  work<T>(run: (env: Env) => Promise<T>, actor?: Actor): Promise<T>;
  /** A second kernel on the same database, as another process would have it; they share nothing else. */
  another(): Promise<Kernel>;
  close(): Promise<void>;
}

export const testAdmin = { email: 'ada@example.com', password: 'correct horse battery' } as const;

const shipped = fileURLToPath(new URL('../../addons', import.meta.url));
const silent: KernelLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A kernel on a database of its own, set up with a company and an administrator. */
export async function createTestKernel(options: TestKernelOptions = {}): Promise<TestKernel> {
  const { database, dsn, drop } = await createTestDatabase();
  const outside = options.addonsPath ?? [];
  const config = readConfig({
    argv: [],
    env: { KONTOR_DB_DSN: dsn, KONTOR_ADDONS_PATH: outside.join(','), ...options.env },
    cwd: process.cwd(),
    readFile: () => '',
  });
  const roots: AddonRoot[] = [{ folder: shipped, isShipped: true }];
  for (const folder of outside) roots.push({ folder, isShipped: false });
  const kernelOn = (on: PooledDatabase): Promise<Kernel> =>
    createKernel({
      config,
      database: on,
      connection: parseDsn(dsn),
      replica: null,
      roots,
      codeOf: loadSource,
      log: silent,
    });
  const kernel = await kernelOn(database);
  const others: { readonly kernel: Kernel; readonly database: PooledDatabase }[] = [];
  const another = async (): Promise<Kernel> => {
    const own = createDatabase({ dsn, maxConnections: 4 });
    const other = await kernelOn(own);
    others.push({ kernel: other, database: own });
    return other;
  };
  const close = async (): Promise<void> => {
    for (const other of others) {
      await other.kernel.close();
      await other.database.close();
    }
    await kernel.close();
    await drop();
  };
  if (options.isSetUp === false) return { kernel, dsn, admin: nobody, person: missing, work: missing, another, close };
  await initialise(kernel, {
    companyName: 'Nordlicht Trading',
    adminName: 'Ada Lindqvist',
    lang: 'en_US',
    apps: [],
    withDemo: false,
    ...testAdmin,
  });
  if (options.modules) {
    await kernel.changeModules((context) => installModules(context, options.modules ?? []), {
      withDemo: options.demo ?? false,
    });
  }
  const admin = (await kernel.actor(1)) as Actor;
  const work: TestKernel['work'] = async (run, actor = admin) => (await kernel.transact(actor, run)).result;
  return { kernel, dsn, admin, work, person: createPerson(kernel), another, close };
}

const nobody: Actor = { uid: 0, groups: new Set(), companyId: null, companyIds: [], lang: 'en_US', tz: 'UTC' };
const missing = (): never => {
  throw new Error('This kernel has not been set up.');
};

function createPerson(kernel: Kernel): TestKernel['person'] {
  return async (name, groups = ['base.group_user'], values = {}) => {
    const admin = (await kernel.actor(1)) as Actor;
    const { result: uid } = await kernel.transact(
      admin,
      async (env) =>
        env.model('core.user').create({
          name,
          login: `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.com`,
          company_id: admin.companyId,
          company_ids: [['set', [admin.companyId]]],
          group_ids: [['set', await Promise.all(groups.map((group) => env.ref(group)))]],
          ...values,
        }),
      { isSudo: true },
    );
    return (await kernel.actor(uid)) as Actor;
  };
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
