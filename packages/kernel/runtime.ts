import type { PooledDatabase } from '@kontor/database';
import type { Actor, Env, OneChange, Registry } from '@kontor/orm';
import type { Translate } from '@kontor/protocol';
import type { Config } from './config.ts';
import type { CacheSpec } from './work/cache.ts';
import type { AtOnceOptions, ChangedAtOnce } from './work/change-at-once.ts';
import type { WorkOutcome } from './work/run-work.ts';
import type { WorkOptions } from './work/work-context.ts';

/** Where the kernel tells what happens; pino fits. Never a secret or a record's values. */
export interface KernelLog {
  debug(data: object, message: string): void;
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}

export interface ReadOptions extends Pick<WorkOptions, 'isSudo' | 'isOutside' | 'scope'> {
  /** May run on the replica, if that has replayed the caller's last write. */
  readonly replica?: { readonly lastWrite: string | null } | null;
  /** In one transaction of its own that the database lets change nothing: for code that is not ours. */
  readonly isGuarded?: boolean;
  /** In one transaction that sees the data as they are at its start, until the signal ends it: for reads of any length. */
  readonly snapshot?: { readonly signal: AbortSignal };
}

/** What work on data needs: people, transactions, words and caches. */
export interface Runtime {
  readonly config: Config;
  readonly database: PooledDatabase;
  readonly log: KernelLog;
  /** The newest, in English; ask again for each piece of work. */
  readonly registry: Registry;
  /** How something is said in a language, as the newest modules have it. */
  wordsIn(lang: string): Translate;
  /** The active user with that id, acting in the given company if it is allowed to them; null when there is none. */
  actor(uid: number, companyId?: number | null): Promise<Actor | null>;
  /** Reads outside a transaction, in somebody's name. */
  read<T>(actor: Actor, work: (env: Env) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** One unit of work in somebody's name: all or nothing, with its change set and events. */
  transact<T>(actor: Actor, work: (env: Env) => Promise<T>, options?: WorkOptions): Promise<WorkOutcome<T>>;
  /**
   * One change in the name of somebody outside, in one statement with its change set and event. Null: nothing was changed; let
   * `transact` do it, or say why not.
   */
  changeAtOnce(actor: Actor, model: string, change: OneChange, options: AtOnceOptions): Promise<ChangedAtOnce | null>;
  /** What a cache of a part has for a key, read when it is asked for first. Not inside a transaction. */
  cached<Key, Value>(cache: CacheSpec<Key, Value>, key: Key): Promise<Value>;
  /** Tells every process to look: something was written outside a unit of work. */
  ring(): void;
}
