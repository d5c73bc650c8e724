import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type ConnectionConfig,
  currentLsn,
  type Database,
  type PooledDatabase,
  type Queryable,
  type ReplicaRouter,
} from '@kontor/database';
import { addonObservers, type CodeOf } from './addons/assemble-modules.ts';
import type { AddonRoot } from './addons/discover-addons.ts';
import { loadWatchers, watchedModels } from './addons/watchers.ts';
import type { Config } from './config.ts';
import type { Part, RightsSpec } from './define-part.ts';
import { followSignals } from './follow-signals.ts';
import type { Kernel } from './kernel.ts';
import { type Modules, noPolicy, openModules } from './open-modules.ts';
import { countRows, createPartCaches, type PartCaches, runParts } from './run-parts.ts';
import type { KernelLog } from './runtime.ts';
import { inCompany, systemActor } from './work/actor.ts';
import { type Cache, createCache } from './work/cache.ts';
import { changeAtOnce } from './work/change-at-once.ts';
import { cachedModels, createRowCache, rowsSignal } from './work/row-cache.ts';
import { envOn, runWork } from './work/run-work.ts';
import { modulesSignal } from './work/signals.ts';
import type { CommittedWork, WorkContext } from './work/work-context.ts';

export interface KernelOptions {
  readonly config: Config;
  readonly database: PooledDatabase;
  /** For dedicated connections: the bell, session locks. */
  readonly connection: ConnectionConfig;
  readonly replica: ReplicaRouter | null;
  readonly parts: readonly Part[];
  readonly roots: readonly AddonRoot[];
  readonly codeOf: CodeOf;
  readonly log: KernelLog;
  /** For tests: every change uses the ordinary path, so that the one-statement path can be compared with it. */
  readonly isOrdinary?: boolean;
}

/** Loads installed modules, after installing required ones, and listens for changes by other processes. */
// Over 60 lines: the parts of the kernel are created here and refer to each other.
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { config, database, connection, replica, parts, log } = options;
  const rights = rightsOf(parts);
  const listeners = createListeners();
  const caches = createPartCaches(
    parts.flatMap((part) => part.caches),
    () => envOn({ registryIn: modules.loaded.registryIn, policy: noPolicy }, systemActor, database, { isSudo: true }),
  );
  const contexts = createCache(() =>
    workContext({ kernel, options, rows, readPolicy: () => caches.get(rights.policy, undefined), onCommitted }),
  );
  const running = runParts(parts, () => kernel);

  const rows = createRowCache();
  const forget = forgetWith(contexts, caches, listeners);

  function onCommitted({ signals = none, notes = none, changed = none }: CommittedWork): void {
    forget(signals);
    follower.ring();
    for (const note of notes) listeners.tell(note);
    listeners.tell('changes', changed);
  }

  function ring(): void {
    follower.ring();
    follower.look();
    listeners.tell('bell');
  }

  const modules = await openModules({ ...options, onChange: onModulesChange });
  function onModulesChange(): void {
    rows.drop();
    forget([modulesSignal, ...parts.flatMap((part) => Object.keys(part.signals))]);
    listeners.tell(modulesSignal);
  }
  const follower = await followSignals({
    ...{ database, connection, log },
    onSignals: forget,
    onModules: modules.reload,
    onBell: () => listeners.tell('bell'),
    onNews: () => listeners.tell('news'),
  });
  const kernel: Kernel = {
    ...{ config, database, connection, log, hasReplica: replica !== null, process: processName() },
    get catalogue() {
      return modules.catalogue;
    },
    get loaded() {
      return modules.loaded;
    },
    get registry() {
      return modules.loaded.registry;
    },
    wordsIn: (lang) => modules.loaded.translations.in(lang),
    ...peopleOf(rights, caches, database),
    ...workWith(contexts, options),
    cached: caches.get,
    replicaLag: async () => replica?.lagSeconds() ?? null,
    count: (names) => countRows(parts, database, names),
    ...moduleChanges(modules, config, ring),
    ring,
    on: listeners.add,
    ...running,
    async close() {
      await running.stop();
      await follower.close();
    },
  };
  return kernel;
}

/** Drops caches that signals invalidate; values are read again when they are next needed. */
function forgetWith(contexts: Cache<undefined, WorkContext>, caches: PartCaches, listeners: Listeners) {
  return (signals: Iterable<string>): void => {
    for (const signal of signals) {
      // Who uses cached rows asks for their generation.
      if (signal === rowsSignal) continue;
      contexts.drop();
      caches.drop(signal);
      if (signal !== modulesSignal) listeners.tell(signal);
    }
  };
}

function moduleChanges(
  modules: Modules,
  config: Config,
  ring: () => void,
): Pick<Kernel, 'changeModules' | 'refreshCatalogue' | 'inspectModules'> {
  return {
    async changeModules(change, { withDemo = config.demo } = {}) {
      const done = await modules.change(change, withDemo);
      ring();
      return done;
    },
    refreshCatalogue: modules.refreshCatalogue,
    inspectModules: modules.inspect,
  };
}

interface ContextSources {
  readonly kernel: Kernel;
  readonly options: KernelOptions;
  readonly rows: WorkContext['rows'];
  readonly readPolicy: () => Promise<WorkContext['policy']>;
  readonly onCommitted: WorkContext['onCommitted'];
}

async function workContext({ kernel, options, rows, readPolicy, onCommitted }: ContextSources): Promise<WorkContext> {
  const { config, database, parts } = options;
  const { registryIn, definitions } = kernel.loaded;
  const [policy, ...observers] = await Promise.all([
    readPolicy(),
    ...parts.flatMap((part) => part.observe?.(kernel) ?? []),
  ]);
  return {
    ...{ registryIn, policy, database, config, keepers: parts, onCommitted },
    rows,
    signalsOf: byModel([
      ...watchedModels(definitions.values()),
      ...signalsByModel(parts),
      ...cachedModels(kernel.loaded.registry),
    ]),
    observers: [
      ...observers,
      ...(await loadWatchers(definitions.values(), () =>
        envOn({ registryIn, policy }, systemActor, database, { isSudo: true }),
      )),
      addonObservers(definitions.values()),
    ],
  };
}

function peopleOf(
  rights: RightsSpec,
  caches: PartCaches,
  database: PooledDatabase,
): Pick<Kernel, 'actor' | 'isInitialised'> {
  let isInitialised = false;
  return {
    async actor(uid, companyId = null, shown = []) {
      const actor = await caches.get(rights.actor, uid);
      return actor && inCompany(actor, companyId, shown);
    },
    async isInitialised() {
      isInitialised ||= await rights.hasUsers(database);
      return isInitialised;
    },
  };
}

const inOneSnapshot = { readOnly: true, isolation: 'repeatable read' } as const;

function workWith(
  contexts: Cache<undefined, WorkContext>,
  { database, replica, isOrdinary = false }: Pick<KernelOptions, 'database' | 'replica' | 'isOrdinary'>,
): Pick<Kernel, 'read' | 'transact' | 'changeAtOnce' | 'writePosition'> {
  return {
    async read(actor, work, how = {}) {
      const { replica: wanted = null, isGuarded = false, snapshot } = how;
      const context = await contexts.get(undefined);
      const run = (db: Queryable) => work(envOn(context, actor, db, how));
      if (isGuarded) return database.transaction(run, { readOnly: true });
      const db: Database = wanted && replica ? await replica.forRead(wanted.lastWrite) : database;
      return snapshot ? db.transaction(run, { ...inOneSnapshot, ...snapshot }) : run(db);
    },
    transact: async (actor, work, given) => runWork(await contexts.get(undefined), actor, work, given),
    changeAtOnce: async (...asked) => (isOrdinary ? null : changeAtOnce(await contexts.get(undefined), ...asked)),
    writePosition: async () => (replica ? currentLsn(database) : null),
  };
}

function processName(): string {
  return `${hostname().slice(0, 40)}:${process.pid}:${randomBytes(4).toString('hex')}`;
}

function rightsOf(parts: readonly Part[]): RightsSpec {
  const [rights, second] = parts.flatMap((part) => part.rights ?? []);
  if (!rights || second) throw new Error('Exactly one part says who may do what.');
  return rights;
}

type ModelSignal = readonly [model: string, signal: string];

function signalsByModel(parts: readonly Part[]): readonly ModelSignal[] {
  const signals = parts.flatMap((part) => Object.entries(part.signals));
  return signals.flatMap(([signal, models]) => models.map((model) => [model, signal] as const));
}

function byModel(pairs: readonly ModelSignal[]): ReadonlyMap<string, readonly string[]> {
  const signals = new Map<string, readonly string[]>();
  for (const [model, signal] of pairs) signals.set(model, [...(signals.get(model) ?? []), signal]);
  return signals;
}

const none: ReadonlySet<string> = new Set();

type Listener = Parameters<Kernel['on']>[1];

interface Listeners {
  /** Returns a function that removes the listener. */
  add(name: string, listener: Listener): () => void;
  tell(name: string, models?: ReadonlySet<string>): void;
}

function createListeners(): Listeners {
  const known = new Map<string, Set<Listener>>();
  return {
    add(name, listener) {
      const own = known.get(name) ?? new Set();
      known.set(name, own.add(listener));
      return () => void own.delete(listener);
    },
    tell(name, models = none) {
      for (const listener of known.get(name) ?? []) listener(models);
    },
  };
}
