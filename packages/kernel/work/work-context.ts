import type { PooledDatabase } from '@kontor/database';
import type { AccessPolicy, Change, Env, Field, Model, Registry, RowCache, Scope } from '@kontor/orm';
import type { Config } from '../config.ts';
import type { Purpose, RowKeeper } from './keep-rows.ts';

/** Observes the changes of units of work. */
export interface Observer {
  /** False: it ignores such a change, whatever the record. */
  concerns(change: ExpectedChange): boolean;
  /** The changes from `since` on, in the transaction of the work before it commits. */
  run(env: Env, since: number): Promise<void>;
}

/** A planned change of a record: the fields that may change. */
export interface ExpectedChange {
  readonly model: Model;
  readonly operation: 'create' | 'write';
  readonly fields: readonly Field[];
}

/** The registry in a language; languages with the same translations share one. */
export type RegistryIn = (lang: string) => Registry;

/** What every unit of work needs, read before its transaction starts. */
export interface WorkContext {
  readonly registryIn: RegistryIn;
  readonly policy: AccessPolicy;
  readonly database: PooledDatabase;
  readonly config: Config;
  readonly keepers: readonly RowKeeper[];
  /** In the order in which they run. */
  readonly observers: readonly Observer[];
  /** The signals that a change of this model raises. */
  readonly signalsOf: ReadonlyMap<string, readonly string[]>;
  readonly rows: RowCache;
  /** Called after the commit, so that this and other processes read what is new. */
  readonly onCommitted: (what: CommittedWork) => void;
}

export interface CommittedWork {
  readonly signals?: ReadonlySet<string>;
  /** For this process only. */
  readonly notes?: ReadonlySet<string>;
  /** Names of the models whose records were changed. */
  readonly changed?: ReadonlySet<string>;
}

export interface WorkOptions {
  readonly isSudo?: boolean;
  readonly isOutside?: boolean;
  /** The scope of the caller's API key; null: everything that its owner may do. */
  readonly scope?: Scope | null;
  readonly requestId?: string | null;
  /** The IP address of the request. */
  readonly address?: string | null;
  /** Ends the work by closing its connection: nothing is committed. */
  readonly signal?: AbortSignal;
  /** The session or key of the request, such as `key 7`. */
  readonly via?: string | null;
  readonly purpose?: Purpose;
  /** Receives all changes, in one or several pieces, before they are stored; an exception rolls everything back. */
  readonly guard?: (env: Env, changes: readonly Change[]) => void;
  /** Runs everything, then rolls it back. */
  readonly isDryRun?: boolean;
  /** Runs last in the transaction, once the change set is known; there is none in a dry run. */
  readonly beforeCommit?: (env: Env, outcome: { result: unknown; changeSet: number | null }) => Promise<void>;
}
