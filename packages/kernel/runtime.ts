import type { PooledDatabase } from '@kontor/database';
import type { Actor, Env, OneChange, Registry } from '@kontor/orm';
import type { Translate } from '@kontor/protocol';
import type { Config } from './config.ts';
import type { CacheSpec } from './work/cache.ts';
import type { AtOnceOptions, ChangedAtOnce } from './work/change-at-once.ts';
import type { WorkOutcome } from './work/run-work.ts';
import type { WorkOptions } from './work/work-context.ts';

/** The kernel's log; compatible with pino. Never log a secret or a record's values. */
export interface KernelLog {
  debug(data: object, message: string): void;
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}

export interface ReadOptions extends Pick<WorkOptions, 'isSudo' | 'isOutside' | 'scope'> {
  /** May run on the replica, if that has replayed the caller's last write. */
  readonly replica?: { readonly lastWrite: string | null } | null;
  /** In a separate read-only transaction: for external code. */
  readonly isGuarded?: boolean;
  /** In one transaction with a snapshot from its start, until the signal ends it: for reads of any length. */
  readonly snapshot?: { readonly signal: AbortSignal };
}

/** What work on data needs: users, transactions, translations and caches. */
export interface Runtime {
  readonly config: Config;
  readonly database: PooledDatabase;
  readonly log: KernelLog;
  /** The newest registry, in English; ask again for each unit of work. */
  readonly registry: Registry;
  /** Translates into a language, with the newest modules. */
  wordsIn(lang: string): Translate;
  /** The active user with that id, acting in the given company if allowed; null if there is none. */
  actor(uid: number, companyId?: number | null, shownCompanyIds?: readonly number[]): Promise<Actor | null>;
  /** Reads outside a transaction, as a user. */
  read<T>(actor: Actor, work: (env: Env) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** One unit of work as a user: all or nothing, with its change set and events. */
  transact<T>(actor: Actor, work: (env: Env) => Promise<T>, options?: WorkOptions): Promise<WorkOutcome<T>>;
  /**
   * One change by an external caller, in one statement with its change set and event. Null: nothing was changed; use `transact`,
   * which does it or reports why not.
   */
  changeAtOnce(actor: Actor, model: string, change: OneChange, options: AtOnceOptions): Promise<ChangedAtOnce | null>;
  /** The cached value of a part for a key, read on first use. Do not call it inside a transaction. */
  cached<Key, Value>(cache: CacheSpec<Key, Value>, key: Key): Promise<Value>;
  /** Notifies every process: something was written outside a unit of work. */
  ring(): void;
}
