import { existsSync } from 'node:fs';
import type { PooledDatabase, Transaction } from '@kontor/database';
import { inEnglish } from '@kontor/protocol';
import { assembleModules, type CodeOf, installedWordbooksOf, type WordsOf } from './addons/assemble-modules.ts';
import { type Addon, addonOf, type Catalogue } from './addons/catalogue.ts';
import { customModule } from './addons/custom/document.ts';
import { readPublished } from './addons/custom/revision-models.ts';
import { type AddonRoot, discoverAddons } from './addons/discover-addons.ts';
import type { InstallContext, InstallState, ModuleChange } from './addons/install-context.ts';
import { installModules } from './addons/install-modules.ts';
import { outdatedModules } from './addons/model-rows.ts';
import { loadableModules, presentModules, readModuleStates } from './addons/module-rows.ts';
import type { Part } from './define-part.ts';
import type { Loaded } from './kernel.ts';
import type { KernelLog } from './runtime.ts';
import { systemActor } from './work/actor.ts';
import { keepRows, nothingFinished, type OutboxEvent } from './work/keep-rows.ts';
import { envOn } from './work/run-work.ts';
import { modulesSignal, raiseSignals } from './work/signals.ts';
import { openEvents } from './work/work-state.ts';

interface ModuleOptions {
  readonly database: PooledDatabase;
  readonly log: KernelLog;
  readonly parts: readonly Part[];
  readonly roots: readonly AddonRoot[];
  readonly codeOf: CodeOf;
  /** Called whenever the served modules change. */
  readonly onChange: () => void;
}

/** The modules that this process serves, and how they change. */
export interface Modules {
  readonly catalogue: Catalogue;
  readonly loaded: Loaded;
  refreshCatalogue(): Promise<Catalogue>;
  change(change: (context: InstallContext) => Promise<ModuleChange>, withDemo: boolean): Promise<ModuleChange>;
  inspect<T>(look: (context: InstallContext) => Promise<T>): Promise<T>;
  /** Reads changes by another process. */
  reload(): Promise<void>;
}

/** An install may take long. */
const longWork = { statementTimeoutMs: 600_000 };

/** Loads installed modules, after installing required ones. */
export async function openModules(options: ModuleOptions): Promise<Modules> {
  const { database } = options;
  // The database is queried while folders are read, mainly because of the connection this needs.
  const [found, states] = await Promise.all([discoverAddons(options.roots), readModuleStates(database)]);
  let catalogue = found;
  // Addons that are or were on disk, in their last state.
  let seen: Catalogue = catalogue;
  let loaded = await loadInstalled(options, catalogue, states);

  function swap(next: Loaded): void {
    loaded = next;
    options.onChange();
  }

  async function refreshCatalogue(): Promise<Catalogue> {
    catalogue = await discoverAddons(options.roots);
    seen = new Map([...seen, ...catalogue]);
    return catalogue;
  }

  return {
    get catalogue() {
      return catalogue;
    },
    get loaded() {
      return loaded;
    },
    refreshCatalogue,
    async change(change, withDemo) {
      const done = await runChange(options, catalogue, change, withDemo);
      for (const { module, kept } of done.reports) {
        if (kept.length > 0) options.log.info({ module, kept }, 'records of the module stay');
      }
      swap(await withSchema(options, catalogue, loadedOf(done), loaded));
      return done;
    },
    inspect: (look) =>
      database.transaction((tx) => look(installContext(options, catalogue, tx, false)), { rollback: true }),
    async reload() {
      // A change made here in the meantime is newer than what was read, and must not be overwritten.
      for (;;) {
        const known = loaded;
        await refreshCatalogue();
        const running = keepRunning(options, { catalogue, seen, loaded: known });
        const next = await loadStates(running, running.catalogue, await readModuleStates(database));
        const served = await withSchema(running, running.catalogue, next, known);
        if (loaded === known && !hasLostFolder(running, served)) return swap(served);
      }
    },
  };
}

async function loadInstalled(
  options: ModuleOptions,
  catalogue: Catalogue,
  states: ReadonlyMap<string, InstallState>,
): Promise<Loaded> {
  const { log } = options;
  const present = presentModules(states);
  const isComplete = [...catalogue.values()].every((addon) => !addon.manifest.required || present.has(addon.name));
  if (isComplete) return loadStates(options, catalogue, states);
  log.info({}, 'installing what is required');
  return loadedOf(await runChange(options, catalogue, (context) => installModules(context, []), false));
}

interface Running extends ModuleOptions {
  readonly wordsOf: WordsOf;
  /** Including addons that are running although their folder is missing. */
  readonly catalogue: Catalogue;
  readonly kept: ReadonlySet<string>;
}

/**
 * A folder that disappears while a process runs (it is being replaced, or its disk is unavailable) does not affect loaded code: the
 * module continues until its folder is back or the process restarts.
 */
function keepRunning(
  options: ModuleOptions,
  { catalogue, seen, loaded }: { readonly catalogue: Catalogue; readonly seen: Catalogue; readonly loaded: Loaded },
): Running {
  const { definitions, wordbooks } = loaded;
  const kept = new Set([...definitions.keys()].filter((name) => !catalogue.has(name) && seen.has(name)));
  const known = <T>(from: ReadonlyMap<string, T>, { name }: Addon) => (kept.has(name) ? from.get(name) : undefined);
  return {
    ...options,
    codeOf: async (addon) => known(definitions, addon) ?? options.codeOf(addon),
    wordsOf: async (addon) => known(wordbooks, addon) ?? installedWordbooksOf(addon),
    catalogue: new Map([...catalogue, ...[...kept].map((name) => [name, addonOf(seen, name)] as const)]),
    kept,
  };
}

/** Whether a folder disappeared while it was read: what was loaded from it may be incomplete. */
function hasLostFolder({ catalogue, kept }: Running, { definitions }: Loaded): boolean {
  return [...definitions.keys()].some((name) => !kept.has(name) && !existsSync(addonOf(catalogue, name).folder));
}

/** Loads installed modules. A module whose folder, or that of a dependency, is missing is left out and reported. */
async function loadStates(
  { codeOf, database, log, roots, ...running }: ModuleOptions & Partial<Running>,
  catalogue: Catalogue,
  states: ReadonlyMap<string, InstallState>,
): Promise<Loaded> {
  const present = presentModules(states);
  const loadable = loadableModules(catalogue, present);
  const here = new Map(states);
  const away = new Map<string, 'goes on' | 'left out'>();
  const looked = roots.map(({ folder }) => folder).join(', ');
  for (const module of present) {
    if (running.kept?.has(module)) {
      away.set(module, 'goes on');
      log.error(
        { module },
        `The folder of the module "${module}" is not there any more (looked in ${looked}). What was loaded goes on until the next start. Put its folder back, or name its place in addons_path.`,
      );
    }
    if (loadable.has(module)) continue;
    here.set(module, 'inactive');
    away.set(module, 'left out');
    const why = catalogue.has(module)
      ? 'another addon that it needs is not there'
      : `there is no addon of that name (looked in ${looked})`;
    log.error(
      { module },
      `The module "${module}" is installed, but ${why}. It is left out: its models, screens and jobs are not served. Put its folder back, or name its place in addons_path, and start again.`,
    );
  }
  const { wordsOf = installedWordbooksOf } = running;
  const publishedOf = () => readPublished(database);
  const assembled = await assembleModules({ catalogue, codeOf, wordsOf, publishedOf }, loadable);
  for (const { at, message } of assembled.custom.skipped)
    log.warn({ field: at }, `A field of the customisation is left out: ${inEnglish(message)}`);
  return { ...assembled, states: here, away };
}

/**
 * Code on disk may be newer than the database by now and would fail in every statement. Such modules keep running their loaded code
 * until they are upgraded.
 */
async function withSchema(
  { database, codeOf, log, wordsOf = installedWordbooksOf }: ModuleOptions & Partial<Running>,
  catalogue: Catalogue,
  next: Loaded,
  running: Loaded,
): Promise<Loaded> {
  const outdated = (await outdatedModules(database, next.registry)).filter(({ module }) =>
    running.definitions.has(module),
  );
  if (outdated.length === 0) return next;
  const modules = outdated.map(({ module }) => module);
  log.error(
    { modules, fields: outdated.flatMap(({ fields }) => fields) },
    `The code of ${modules.join(', ')} on disk is newer than the database. What was loaded before goes on; start with -u ${modules.join(',')} to upgrade.`,
  );
  const olderCode: CodeOf = async (addon) =>
    (modules.includes(addon.name) ? running.definitions.get(addon.name) : undefined) ?? codeOf(addon);
  const publishedOf = async () => next.custom.published;
  const older = await assembleModules({ catalogue, codeOf: olderCode, wordsOf, publishedOf }, next.definitions.keys());
  return { ...older, states: next.states, away: next.away };
}

/** Changes modules in one transaction, with the events about it. */
function runChange(
  options: ModuleOptions,
  catalogue: Catalogue,
  work: (context: InstallContext) => Promise<ModuleChange>,
  withDemo: boolean,
): Promise<ModuleChange> {
  return options.database.transaction(async (tx) => {
    const events: OutboxEvent[] = [];
    const done = await work(installContext(options, catalogue, tx, withDemo, events));
    events.push(...done.reports.map(({ module }) => moduleEvent(module, done)));
    await keepRows(options.parts, tx, { ...nothingFinished, events });
    await raiseSignals(tx, [modulesSignal]);
    return done;
  }, longWork);
}

function installContext(
  { parts, codeOf }: ModuleOptions,
  catalogue: Catalogue,
  tx: Transaction,
  withDemo: boolean,
  events: OutboxEvent[] = [],
): InstallContext {
  return {
    ...{ tx, catalogue, codeOf, withDemo },
    publishedOf: () => readPublished(tx),
    recordsOf: (module, definition) => parts.flatMap((part) => part.records?.(module, definition) ?? []),
    envFor: (registry, on) => {
      const env = envOn({ registryIn: () => registry, policy: noPolicy }, systemActor, on, { isSudo: true });
      openEvents(env.work, events);
      return env;
    },
  };
}

/** Installs run under sudo, so no rights are looked up. */
export const noPolicy = { access: new Map(), rules: new Map() };

/** A change is rejected while the folder of a module is missing, so none is. */
function loadedOf({ reports: _, broken: __, schema: ___, ...assembled }: ModuleChange): Loaded {
  return { ...assembled, away: new Map() };
}

function moduleEvent(module: string, { states }: ModuleChange): OutboxEvent {
  const state = module === customModule ? 'installed' : (states.get(module) ?? 'uninstalled');
  return { channel: 'module.changed', payload: { module, state } };
}
