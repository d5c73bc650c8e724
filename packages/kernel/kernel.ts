import type { ConnectionConfig } from '@kontor/database';
import type { AssembledModules } from './addons/assemble-modules.ts';
import type { Catalogue } from './addons/catalogue.ts';
import type { InstallContext, InstallState, ModuleChange } from './addons/install-context.ts';
import type { Runtime } from './runtime.ts';

/** The modules that a process serves: replaced as a whole when modules change. */
export interface Loaded extends AssembledModules {
  readonly states: ReadonlyMap<string, InstallState>;
  /** Installed modules whose folder is missing: loaded code continues, or they are left out. */
  readonly away: ReadonlyMap<string, 'goes on' | 'left out'>;
}

/** The result of `kernel.service` for a started service. */
export interface Startable<Running> {
  readonly name: string;
  readonly start: ((kernel: never) => Running) | null;
}

/** The running application, without HTTP. Everything above it goes through here. */
export interface Kernel extends Runtime {
  /** For dedicated connections. */
  readonly connection: ConnectionConfig;
  readonly hasReplica: boolean;
  /** Identifies this process; unique among all. */
  readonly process: string;
  readonly catalogue: Catalogue;
  /** The newest modules; ask again for each unit of work. */
  readonly loaded: Loaded;
  /** Whether setup is done: a user can sign in. */
  isInitialised(): Promise<boolean>;
  /** WAL position to remember after a change; null without a replica. */
  writePosition(): Promise<string | null>;
  /** How many seconds the read replica is behind; null without one, and while it is down. */
  replicaLag(): Promise<number | null>;
  /** Row counts of the parts, by name, in one statement. */
  count<Name extends string>(names: readonly Name[]): Promise<Readonly<Record<Name, number>>>;
  /** Runs a change of modules in one transaction; this and every other process serve it afterwards. */
  changeModules(
    change: (context: InstallContext) => Promise<ModuleChange>,
    options?: ChangeOptions,
  ): Promise<ModuleChange>;
  /** Looks for addons on disk again. */
  refreshCatalogue(): Promise<Catalogue>;
  /** Reads modules without changing them. */
  inspectModules<T>(look: (context: InstallContext) => Promise<T>): Promise<T>;
  /**
   * Called in this process after a signal was raised anywhere (`modules`, `rights`, …), after work of this process left
   * a note of that name, with `changes` and the names of the models after it changed records, with `bell` whenever
   * another process may have changed some, and with `news` as soon as there may be events. Returns a function that
   * unsubscribes.
   */
  on(name: string, listener: (models: ReadonlySet<string>) => void): () => void;
  /** Starts the background work of the parts. */
  start(): void;
  /** The service of a part, which is started now if it is not running yet. */
  service<Running>(part: Startable<Running>): Running;
  /** Stops what was started. */
  stop(): Promise<void>;
  /** The same, and closes everything else. */
  close(): Promise<void>;
}

export interface ChangeOptions {
  readonly withDemo?: boolean;
}
