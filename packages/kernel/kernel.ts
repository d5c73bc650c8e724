import type { PooledDatabase } from '@kontor/database';
import type { Actor, Env, Registry } from '@kontor/orm';
import type { Translate } from '@kontor/protocol';
import type { AssembledModules } from './addons/assemble-modules.ts';
import type { Catalogue } from './addons/catalogue.ts';
import type { InstallContext, InstallState, ModuleChange } from './addons/install-context.ts';
import type { Config } from './config.ts';
import type { CacheSpec } from './define-part.ts';
import type { EventFeed } from './events/event-feed.ts';
import type { ApiKey } from './identity/api-keys.ts';
import type { WorkOutcome } from './runtime/run-work.ts';
import type { WorkOptions } from './runtime/work-context.ts';

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
  /** In one transaction of its own that the database lets change nothing: for code that is not ours. */
  readonly isGuarded?: boolean;
  /** In one transaction that sees the data as they are at its start, until the signal ends it: for reads of any length. */
  readonly snapshot?: { readonly signal: AbortSignal };
}

/** What a process serves from: replaced as a whole when modules change. */
export interface Loaded extends AssembledModules {
  readonly states: ReadonlyMap<string, InstallState>;
}

/** The running application, without HTTP. Everything above it goes through here. */
export interface Kernel {
  readonly config: Config;
  readonly database: PooledDatabase;
  readonly log: KernelLog;
  readonly catalogue: Catalogue;
  /** The newest; ask again for each piece of work. */
  readonly loaded: Loaded;
  readonly registry: Registry;
  /** How something is said in a language, as the newest modules have it. */
  wordsIn(lang: string): Translate;
  /** What is committed anywhere, as it happens. */
  readonly events: EventFeed;
  /** Tells every process to look: something was written outside a unit of work. */
  ring(): void;
  /** Whether setup has been done: somebody can sign in. */
  isInitialised(): Promise<boolean>;
  /** The active user with that id, acting in the given company if it is allowed to them; null when there is none. */
  actor(uid: number, companyId?: number | null): Promise<Actor | null>;
  /** The active, unexpired key of an active user; null when the secret is none. */
  apiKey(secret: string): Promise<ApiKey | null>;
  /** Reads outside a transaction, in somebody's name. */
  read<T>(actor: Actor, work: (env: Env) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** One unit of work in somebody's name: all or nothing, with its change set and events. */
  transact<T>(actor: Actor, work: (env: Env) => Promise<T>, options?: WorkOptions): Promise<WorkOutcome<T>>;
  /** What a cache of a part has for a key, read when it is asked for first. */
  cached<Key, Value>(cache: CacheSpec<Key, Value>, key: Key): Promise<Value>;
  /** WAL position to remember after a change; null without a replica. */
  writePosition(): Promise<string | null>;
  /** Runs a change of modules in one transaction; this and every other process serve it afterwards. */
  changeModules(
    change: (context: InstallContext) => Promise<ModuleChange>,
    options?: ChangeOptions,
  ): Promise<ModuleChange>;
  /** Looks for addons on disk again. */
  refreshCatalogue(): Promise<Catalogue>;
  /** Looks at modules without changing them. */
  inspectModules<T>(look: (context: InstallContext) => Promise<T>): Promise<T>;
  /** Called in this process after modules changed anywhere. Returns how to stop. */
  onModulesChanged(listener: () => void): () => void;
  /** Called in this process after anyone's rights changed anywhere. */
  onRightsChanged(listener: () => void): () => void;
  /** Called after work of this process that put mail into the queue was committed. */
  onMailQueued(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface ChangeOptions {
  readonly withDemo?: boolean;
}
