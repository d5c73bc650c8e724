import type { PooledDatabase, Transaction } from '@kontor/database';
import { assembleModules, type CodeOf } from './addons/assemble-modules.ts';
import type { Catalogue } from './addons/catalogue.ts';
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
  /** Called whenever other modules are served than before. */
  readonly onChange: () => void;
}

/** The modules that this process serves, and how they change. */
export interface Modules {
  readonly catalogue: Catalogue;
  readonly loaded: Loaded;
  refreshCatalogue(): Promise<Catalogue>;
  change(change: (context: InstallContext) => Promise<ModuleChange>, withDemo: boolean): Promise<ModuleChange>;
  inspect<T>(look: (context: InstallContext) => Promise<T>): Promise<T>;
  /** Reads what another process changed. */
  reload(): Promise<void>;
}

/** An install may take its time. */
const longWork = { statementTimeoutMs: 600_000 };

/** Loads what is installed, and installs what is required first. */
export async function openModules(options: ModuleOptions): Promise<Modules> {
  const { database } = options;
  let catalogue = await discoverAddons(options.roots);
  let loaded = await loadInstalled(options, catalogue);

  function swap(next: Loaded): void {
    loaded = next;
    options.onChange();
  }

  async function refreshCatalogue(): Promise<Catalogue> {
    catalogue = await discoverAddons(options.roots);
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
      swap(await withSchema(options, catalogue, loadedOf(done), loaded));
      return done;
    },
    inspect: (look) =>
      database.transaction((tx) => look(installContext(options, catalogue, tx, false)), { rollback: true }),
    async reload() {
      // A change made here meanwhile is newer than what was read, and must not be taken back by it.
      for (;;) {
        const known = loaded;
        await refreshCatalogue();
        const next = await loadStates(options, catalogue, await readModuleStates(database));
        const served = await withSchema(options, catalogue, next, known);
        if (loaded === known) return swap(served);
      }
    },
  };
}

async function loadInstalled(options: ModuleOptions, catalogue: Catalogue): Promise<Loaded> {
  const { database, log } = options;
  const states = await readModuleStates(database);
  const present = presentModules(states);
  const isComplete = [...catalogue.values()].every((addon) => !addon.manifest.required || present.has(addon.name));
  if (isComplete) return loadStates(options, catalogue, states);
  log.info({}, 'installing what is required');
  return loadedOf(await runChange(options, catalogue, (context) => installModules(context, []), false));
}

/** Loads what is installed. A module whose folder is gone, or that of one it needs, is left out and told of. */
async function loadStates(
  { codeOf, log, roots }: ModuleOptions,
  catalogue: Catalogue,
  states: ReadonlyMap<string, InstallState>,
): Promise<Loaded> {
  const present = presentModules(states);
  const loadable = loadableModules(catalogue, present);
  const here = new Map(states);
  for (const module of present) {
    if (loadable.has(module)) continue;
    here.set(module, 'inactive');
    const looked = roots.map(({ folder }) => folder).join(', ');
    const why = catalogue.has(module)
      ? 'another addon that it needs is not there'
      : `there is no addon of that name (looked in ${looked})`;
    log.error(
      { module },
      `The module "${module}" is installed, but ${why}. It is left out: its models, screens and jobs are not served. Put its folder back, or name its place in addons_path, and start again.`,
    );
  }
  return { ...(await assembleModules({ catalogue, codeOf }, loadable)), states: here };
}

/**
 * Code on disk may have become newer than the database meanwhile, and would fail in every statement. Of such modules what runs
 * now stays, until they are upgraded.
 */
async function withSchema(
  { database, codeOf, log }: ModuleOptions,
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
  const older = await assembleModules({ catalogue, codeOf: olderCode }, next.definitions.keys());
  return { ...older, states: next.states };
}

/** Changes modules in one transaction, with the events that tell of it. */
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
    await keepRows(options.parts, tx, { ...nothingFinished, registry: done.registry, events });
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
    recordsOf: (module, definition) => parts.flatMap((part) => part.records?.(module, definition) ?? []),
    envFor: (registry, on) => {
      const env = envOn({ registryIn: () => registry, policy: noPolicy }, systemActor, on, { isSudo: true });
      openEvents(env.work, events);
      return env;
    },
  };
}

/** Installs run under sudo, so nothing is looked up in it. */
export const noPolicy = { access: new Map(), rules: new Map() };

function loadedOf({ registry, registryIn, definitions, translations, states }: ModuleChange): Loaded {
  return { registry, registryIn, definitions, translations, states };
}

function moduleEvent(module: string, { states }: ModuleChange): OutboxEvent {
  return { channel: 'module.changed', payload: { module, state: states.get(module) ?? 'uninstalled' } };
}
