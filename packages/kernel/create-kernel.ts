import {
  type ConnectionConfig,
  createBell,
  currentLsn,
  type Database,
  type PooledDatabase,
  type ReplicaRouter,
} from '@kontor/database';
import type { Env } from '@kontor/orm';
import { assembleModules } from './addons/assemble-modules.ts';
import type { Addon, Catalogue } from './addons/catalogue.ts';
import type { AddonDefinition } from './addons/define-addon.ts';
import { type AddonRoot, discoverAddons } from './addons/discover-addons.ts';
import type { InstallContext, ModuleChange } from './addons/install-context.ts';
import { installModules } from './addons/install-modules.ts';
import { presentModules, readModuleStates } from './addons/read-module-states.ts';
import { loadAutomations } from './automations/load-automations.ts';
import type { Config } from './config.ts';
import type { Part } from './define-part.ts';
import { createEventFeed } from './events/event-feed.ts';
import { findApiKey } from './identity/api-keys.ts';
import { createKeyCache } from './identity/key-cache.ts';
import type { ChangeOptions, Kernel, KernelLog, Loaded } from './kernel.ts';
import { hasMail } from './mail/send-mail.ts';
import { createCached } from './runtime/cached.ts';
import { createPulse } from './runtime/create-pulse.ts';
import { hasUsers } from './runtime/has-users.ts';
import { inCompany, systemActor } from './runtime/load-actor.ts';
import { createPartCaches } from './runtime/part-caches.ts';
import { publishEvents } from './runtime/publish-events.ts';
import { createRightsCache } from './runtime/rights-cache.ts';
import { observersOf } from './runtime/run-observers.ts';
import { envOn, runWork } from './runtime/run-work.ts';
import { noSignals, raiseSignals, readSignals, type SignalName, type Signals, signalNames } from './runtime/signals.ts';
import type { CommittedWork, WorkContext } from './runtime/work-context.ts';

export interface KernelOptions {
  readonly config: Config;
  readonly database: PooledDatabase;
  /** For the bell, which needs a connection of its own. */
  readonly connection: ConnectionConfig;
  readonly replica: ReplicaRouter | null;
  readonly parts: readonly Part[];
  readonly roots: readonly AddonRoot[];
  readonly codeOf: (addon: Addon) => Promise<AddonDefinition>;
  readonly log: KernelLog;
}

export const bellChannel = 'kontor';
const askAgainMs = 1_000;
const wholePicture = { readOnly: true, isolation: 'repeatable read' } as const;

/** Loads what is installed, installing what is required first, and listens for changes by other processes. */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { config, database, log, codeOf } = options;
  const rights = createRightsCache(database);
  const keys = createKeyCache(database);
  const contexts = createCached(loadContext);
  const automations = createCached(() => loadAutomations(systemEnv(), onBroken));
  const caches = createPartCaches(options.parts, systemEnv);
  const listeners = new Set<() => void>();
  const rightsListeners = new Set<() => void>();
  const mailListeners = new Set<() => void>();
  const feed = createEventFeed(database, log);
  const canMail = hasMail(config);
  let catalogue: Catalogue = await discoverAddons(options.roots);
  let isInitialised = false;
  let seen: Signals = noSignals;
  let isBehind = false;

  const drops: Readonly<Record<Exclude<SignalName, 'modules'>, readonly (() => void)[]>> = {
    rights: [rights.drop, keys.drop, () => tell(rightsListeners)],
    views: [automations.drop],
    settings: [],
  };

  function systemEnv(): Env {
    return envOn({ registryIn: loaded.registryIn, policy: noPolicy }, systemActor, database, { isSudo: true });
  }

  /** Forgets what these say is old; what was read is read again when it is next needed. */
  function forget(names: Iterable<SignalName>): void {
    for (const name of names) {
      contexts.drop();
      caches.drop(name);
      if (name !== 'modules') for (const drop of drops[name]) drop();
    }
  }

  const contextOn = (tx: InstallContext['tx'], withDemo: boolean): InstallContext => ({
    tx,
    catalogue,
    codeOf,
    withDemo,
    envFor: (registry, on) =>
      envOn({ registryIn: () => registry, policy: noPolicy }, systemActor, on, { isSudo: true }),
  });

  async function changeModules(
    change: (context: InstallContext) => Promise<ModuleChange>,
    { withDemo = config.demo }: ChangeOptions = {},
  ): Promise<ModuleChange> {
    const outcome = await database.transaction(
      async (tx) => {
        const done = await change(contextOn(tx, withDemo));
        await raiseSignals(tx, ['modules']);
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
    const { registry, registryIn, definitions, translations, states } = next;
    loaded = { registry, registryIn, definitions, translations, states };
    forget(signalNames);
    tell(listeners);
  }

  async function refreshCatalogue(): Promise<Catalogue> {
    catalogue = await discoverAddons(options.roots);
    return catalogue;
  }

  /** A change made here meanwhile is newer than what was read, and must not be taken back by it. */
  async function reload(): Promise<void> {
    const known = loaded;
    await refreshCatalogue();
    const states = await readModuleStates(database);
    const next = await assembleModules({ catalogue, codeOf }, presentModules(states));
    if (loaded !== known) return reload();
    swap({ ...next, states });
  }

  async function look(): Promise<void> {
    const now = await readSignals(database);
    forget(signalNames.filter((name) => now[name] !== seen[name]));
    if (now.modules !== seen.modules) await reload();
    // Only now: what could not be loaded is looked for again.
    seen = now;
    isBehind = false;
  }

  async function loadContext(): Promise<WorkContext> {
    const [policy, own] = await Promise.all([rights.policy(), automations.get()]);
    const observers = observersOf(loaded.definitions.values());
    return {
      ...{ registryIn: loaded.registryIn, policy, database, automations: own, observers, canMail },
      ...{ onCutOff, onCommitted },
    };
  }

  function onBroken(name: string, message: string): void {
    log.warn({ automation: name }, `an automation cannot run: ${message}`);
  }

  function onCutOff(names: readonly string[]): void {
    log.warn({ automations: names }, 'automations set each other off too deep and were cut off');
  }

  function onCommitted({ signals, hasMail: isMailQueued }: CommittedWork): void {
    forget(signals);
    bell.ring();
    if (isMailQueued) tell(mailListeners);
  }

  let loaded: Loaded = await boot();
  seen = await readSignals(database);
  const looking = createPulse(look, {
    spacingMs: 20,
    onError: (error) => {
      isBehind = true;
      log.warn({ err: error }, 'could not look for changes');
    },
  });
  // A process that hears nothing, or could not follow, asks by itself.
  const asking = setInterval(() => (isBehind || !bell.isListening) && looking.beat(), askAgainMs).unref();
  const hear = (): void => {
    looking.beat();
    feed.wake();
  };
  const bell = createBell(options.connection, bellChannel, hear, { warn: (message) => log.warn({}, message) });

  async function boot(): Promise<Loaded> {
    const states = await readModuleStates(database);
    const present = presentModules(states);
    const isComplete = [...catalogue.values()].every((addon) => !addon.manifest.required || present.has(addon.name));
    if (isComplete) return { ...(await assembleModules({ catalogue, codeOf }, present)), states };
    log.info({}, 'installing what is required');
    return database.transaction(
      async (tx) => {
        const done = await installModules(contextOn(tx, false), []);
        await raiseSignals(tx, ['modules']);
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
    wordsIn: (lang) => loaded.translations.in(lang),
    async isInitialised() {
      isInitialised ||= await hasUsers(database);
      return isInitialised;
    },
    async actor(uid, companyId = null) {
      const actor = await rights.actor(uid);
      return actor && inCompany(actor, companyId);
    },
    // With a replica every call must know the key's last write, which only the database does.
    apiKey: options.replica ? (secret) => findApiKey(database, secret) : keys.find,
    async read(actor, work, { replica = null, isGuarded = false, snapshot, ...given } = {}) {
      const context = await contexts.get();
      if (isGuarded) {
        return database.transaction((tx) => work(envOn(context, actor, tx, given)), { readOnly: true });
      }
      const db: Database = replica && options.replica ? await options.replica.forRead(replica.lastWrite) : database;
      if (!snapshot) return work(envOn(context, actor, db, given));
      return db.transaction((tx) => work(envOn(context, actor, tx, given)), { ...wholePicture, ...snapshot });
    },
    async transact(actor, work, given) {
      return runWork(await contexts.get(), actor, work, given);
    },
    cached: caches.get,
    writePosition: async () => (options.replica ? currentLsn(database) : null),
    changeModules,
    refreshCatalogue,
    inspectModules: (inspect) => database.transaction((tx) => inspect(contextOn(tx, false)), { rollback: true }),
    events: feed,
    ring: bell.ring,
    onModulesChanged: (listener) => listen(listeners, listener),
    onRightsChanged: (listener) => listen(rightsListeners, listener),
    onMailQueued: (listener) => listen(mailListeners, listener),
    async close() {
      clearInterval(asking);
      await looking.stop();
      await feed.close();
      await bell.close();
    },
  };
}

/** Installs run under sudo, so nothing is looked up in it. */
const noPolicy = { access: new Map(), rules: new Map() };

function moduleEvent(module: string, { states }: ModuleChange) {
  return { channel: 'module.changed', payload: { module, state: states.get(module) ?? 'uninstalled' } };
}

type Listeners = Set<() => void>;

function tell(listeners: Listeners): void {
  for (const listener of listeners) listener();
}

function listen(listeners: Listeners, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
