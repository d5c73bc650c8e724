import type { PooledDatabase, Queryable } from '@kontor/database';
import type { Actor, Env, Registry } from '@kontor/orm';
import type { Addon, Catalogue } from './addons/catalogue.ts';
import type { AddonDefinition, RouteSpec } from './addons/define-addon.ts';
import type { Config } from './config/config.ts';
import type { WorkOptions, WorkOutcome } from './runtime/run-work.ts';

/** Where the kernel tells what happens; pino fits. Never a secret or a record's values. */
export interface KernelLog {
  debug(data: object, message: string): void;
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}

export interface ReadOptions extends Pick<WorkOptions, 'isSudo' | 'isOutside'> {
  /** May run on the replica, if that has replayed the caller's last write. */
  readonly replica?: { readonly lastWrite: string | null } | null;
}

export interface ModuleState {
  readonly module: string;
  readonly state: 'uninstalled' | 'installed' | 'inactive';
}

/** One installed module with its code. */
export interface LoadedModule {
  readonly addon: Addon;
  readonly definition: AddonDefinition;
  readonly isActive: boolean;
}

/** What a process serves from: replaced as a whole when modules change. */
export interface Loaded {
  readonly registry: Registry;
  readonly modules: readonly LoadedModule[];
}

/** The running application, without HTTP. Everything above it goes through here. */
export interface Kernel {
  readonly config: Config;
  readonly database: PooledDatabase;
  readonly log: KernelLog;
  readonly registry: Registry;
  readonly modules: readonly LoadedModule[];
  readonly catalogue: Catalogue;
  /** Routes of active modules; a new array after every change of modules. */
  readonly routes: readonly RouteSpec[];
  /** Whether setup has been done: there is a company and somebody who may administer. */
  isInitialised(): Promise<boolean>;
  /** The active user with that id, acting in the given company if it is allowed to them; null when there is none. */
  actor(uid: number, companyId?: number | null): Promise<Actor | null>;
  /** Reads outside a transaction, in somebody's name. */
  read<T>(actor: Actor, work: (env: Env) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** One unit of work in somebody's name: all or nothing, with its change set and events. */
  transact<T>(actor: Actor, work: (env: Env) => Promise<T>, options?: WorkOptions): Promise<WorkOutcome<T>>;
  /** WAL position to remember after a change; null without a replica. */
  writePosition(db?: Queryable): Promise<string | null>;
  installModules(names: readonly string[], options?: { readonly demo?: boolean }): Promise<readonly ModuleState[]>;
  upgradeModules(names: readonly string[]): Promise<readonly ModuleState[]>;
  setModuleActive(name: string, isActive: boolean): Promise<ModuleState>;
  uninstallModule(name: string, options?: { readonly isDryRun?: boolean }): Promise<ModuleState & { removed: unknown }>;
  /** Called in every process after modules changed. */
  onModulesChanged(listener: () => void): void;
  close(): Promise<void>;
}
