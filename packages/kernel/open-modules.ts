import type { PooledDatabase, Transaction } from '@kontor/database';
import { assembleModules, type CodeOf } from './addons/assemble-modules.ts';
import type { Catalogue } from './addons/catalogue.ts';
import { type AddonRoot, discoverAddons } from './addons/discover-addons.ts';
import type { InstallContext, ModuleChange } from './addons/install-context.ts';
import { installModules } from './addons/install-modules.ts';
import { presentModules, readModuleStates } from './addons/module-rows.ts';
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
  const { database, codeOf } = options;
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
      swap(loadedOf(done));
      return done;
    },
    inspect: (look) =>
      database.transaction((tx) => look(installContext(options, catalogue, tx, false)), { rollback: true }),
    async reload() {
      // A change made here meanwhile is newer than what was read, and must not be taken back by it.
      for (;;) {
        const known = loaded;
        await refreshCatalogue();
        const states = await readModuleStates(database);
        const next = await assembleModules({ catalogue, codeOf }, presentModules(states));
        if (loaded === known) return swap({ ...next, states });
      }
    },
  };
}

async function loadInstalled(options: ModuleOptions, catalogue: Catalogue): Promise<Loaded> {
  const { database, codeOf, log } = options;
  const states = await readModuleStates(database);
  const present = presentModules(states);
  const isComplete = [...catalogue.values()].every((addon) => !addon.manifest.required || present.has(addon.name));
  if (isComplete) return { ...(await assembleModules({ catalogue, codeOf }, present)), states };
  log.info({}, 'installing what is required');
  return loadedOf(await runChange(options, catalogue, (context) => installModules(context, []), false));
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
