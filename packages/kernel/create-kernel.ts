import {
  type ConnectionConfig,
  createBell,
  currentLsn,
  type Database,
  type PooledDatabase,
  type ReplicaRouter,
} from '@kontor/database';
import { assembleModules } from './addons/assemble-modules.ts';
import type { Addon, Catalogue } from './addons/catalogue.ts';
import type { AddonDefinition } from './addons/define-addon.ts';
import { type AddonRoot, discoverAddons } from './addons/discover-addons.ts';
import type { InstallContext, ModuleChange } from './addons/install-context.ts';
import { installModules } from './addons/install-modules.ts';
import { presentModules, readModuleStates } from './addons/read-module-states.ts';
import type { Config } from './config.ts';
import type { ChangeOptions, Kernel, KernelLog, Loaded } from './kernel.ts';
import { hasUsers } from './runtime/has-users.ts';
import { inCompany, systemActor } from './runtime/load-actor.ts';
import { publishEvents } from './runtime/publish-events.ts';
import { createRightsCache } from './runtime/rights-cache.ts';
import { envOn, runWork, type WorkContext } from './runtime/run-work.ts';
import { raiseSignal, readSignals, type Signals } from './runtime/signals.ts';

export interface KernelOptions {
  readonly config: Config;
  readonly database: PooledDatabase;
  /** For the bell, which needs a connection of its own. */
  readonly connection: ConnectionConfig;
  readonly replica: ReplicaRouter | null;
  readonly roots: readonly AddonRoot[];
  readonly codeOf: (addon: Addon) => Promise<AddonDefinition>;
  readonly log: KernelLog;
}

export const bellChannel = 'kontor';

/** Loads what is installed, installing what is required first, and listens for changes by other processes. */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { config, database, log, codeOf } = options;
  const rights = createRightsCache(database);
  const listeners = new Set<() => void>();
  let catalogue: Catalogue = await discoverAddons(options.roots);
  let isInitialised = false;
  let seen: Signals = { rights: 0, modules: 0 };

  const contextOn = (tx: InstallContext['tx'], withDemo: boolean): InstallContext => ({
    tx,
    catalogue,
    codeOf,
    withDemo,
    envFor: (registry, on) => envOn({ registry, policy: noPolicy }, systemActor, on, { isSudo: true }),
  });

  async function changeModules(
    change: (context: InstallContext) => Promise<ModuleChange>,
    { withDemo = config.demo }: ChangeOptions = {},
  ): Promise<ModuleChange> {
    const outcome = await database.transaction(
      async (tx) => {
        const done = await change(contextOn(tx, withDemo));
        await raiseSignal(tx, 'modules');
        await publishEvents(
          tx,
          done.reports.map(({ module }) => moduleEvent(module, done)),
        );
        return done;
      },
      { statementTimeoutMs: 600_000 },
    );
    swap(outcome);
    bell.ring();
    return outcome;
  }

  function swap(next: Loaded): void {
    loaded = { registry: next.registry, definitions: next.definitions, states: next.states };
    rights.drop();
    for (const listener of listeners) listener();
  }

  async function reload(): Promise<void> {
    catalogue = await discoverAddons(options.roots);
    const states = await readModuleStates(database);
    swap({ ...(await assembleModules({ catalogue, codeOf }, presentModules(states))), states });
  }

  async function look(): Promise<void> {
    const now = await readSignals(database);
    const before = seen;
    seen = now;
    if (now.modules !== before.modules) await reload();
    else if (now.rights !== before.rights) rights.drop();
  }

  async function workContext(): Promise<WorkContext> {
    const policy = await rights.policy();
    return { registry: loaded.registry, policy, database, onCommitted };
  }

  function onCommitted({ changedRights }: { readonly changedRights: boolean }): void {
    if (changedRights) rights.drop();
    bell.ring();
  }

  let loaded: Loaded = await boot();
  seen = await readSignals(database);
  const bell = createBell(
    options.connection,
    bellChannel,
    () => void look().catch((error: unknown) => log.warn({ err: error }, 'could not look for changes')),
    { warn: (message) => log.warn({}, message) },
  );

  async function boot(): Promise<Loaded> {
    const states = await readModuleStates(database);
    const present = presentModules(states);
    const isComplete = [...catalogue.values()].every((addon) => !addon.manifest.required || present.has(addon.name));
    if (isComplete) return { ...(await assembleModules({ catalogue, codeOf }, present)), states };
    log.info({}, 'installing what is required');
    return database.transaction(
      async (tx) => {
        const done = await installModules(contextOn(tx, false), []);
        await raiseSignal(tx, 'modules');
        return done;
      },
      { statementTimeoutMs: 600_000 },
    );
  }

  return {
    config,
    database,
    log,
    get catalogue() {
      return catalogue;
    },
    get loaded() {
      return loaded;
    },
    get registry() {
      return loaded.registry;
    },
    async isInitialised() {
      isInitialised ||= await hasUsers(database);
      return isInitialised;
    },
    async actor(uid, companyId = null) {
      const actor = await rights.actor(uid);
      return actor && inCompany(actor, companyId);
    },
    async read(actor, work, { replica = null, ...given } = {}) {
      const context = await workContext();
      const db: Database = replica && options.replica ? await options.replica.forRead(replica.lastWrite) : database;
      return work(envOn(context, actor, db, given));
    },
    async transact(actor, work, given) {
      return runWork(await workContext(), actor, work, given);
    },
    writePosition: async () => (options.replica ? currentLsn(database) : null),
    changeModules,
    inspectModules: (inspect) => database.transaction((tx) => inspect(contextOn(tx, false)), { rollback: true }),
    onModulesChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await bell.close();
    },
  };
}

/** Installs run under sudo, so nothing is looked up in it. */
const noPolicy = { access: new Map(), rules: new Map() };

function moduleEvent(module: string, { states }: ModuleChange) {
  return { channel: 'module.changed', payload: { module, state: states.get(module) ?? 'uninstalled' } };
}
