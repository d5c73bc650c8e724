import type { Database, Queryable } from '@kontor/database';
import { type AccessPolicy, type Actor, type Change, createEnv, type Env, type Registry } from '@kontor/orm';
import { persistWork } from './persist-work.ts';
import { raiseSignal } from './signals.ts';

export interface WorkContext {
  readonly registry: Registry;
  readonly policy: AccessPolicy;
  readonly database: Database;
  /** Told after the commit, so that this and other processes look at what is new. */
  readonly onCommitted: (what: { readonly hasEvents: boolean; readonly changedRights: boolean }) => void;
}

export interface WorkOptions {
  readonly isSudo?: boolean;
  readonly isOutside?: boolean;
  readonly requestId?: string | null;
  /** Runs everything, then takes it back. */
  readonly isDryRun?: boolean;
  /** The last thing in the transaction, once the change set is known. */
  readonly beforeCommit?: (env: Env, outcome: { result: unknown; changeSet: number | null }) => Promise<void>;
}

export interface WorkOutcome<T> {
  readonly result: T;
  readonly changeSet: number | null;
  readonly changes: readonly Change[];
}

/** One unit of work: one transaction, retried as a whole, with its change set and events written beside it. */
export function runWork<T>(
  context: WorkContext,
  actor: Actor,
  work: (env: Env) => Promise<T>,
  options: WorkOptions = {},
): Promise<WorkOutcome<T>> {
  return context.database.transaction(
    async (tx) => {
      const env = envOn(context, actor, tx, options);
      const result = await work(env);
      const changes = env.work.changes;
      if (options.isDryRun) return { result, changeSet: null, changes };
      const persisted = await persistWork(env, tx, options.requestId ?? null);
      if (persisted.changedRights) await raiseSignal(tx, 'rights');
      if (persisted.hasEvents || persisted.changedRights) tx.afterCommit(() => context.onCommitted(persisted));
      await options.beforeCommit?.(env, { result, changeSet: persisted.changeSet });
      return { result, changeSet: persisted.changeSet, changes };
    },
    { rollback: options.isDryRun ?? false },
  );
}

export function envOn(
  context: Pick<WorkContext, 'registry' | 'policy'>,
  actor: Actor,
  db: Queryable,
  options: WorkOptions = {},
): Env {
  return createEnv({
    registry: context.registry,
    policy: context.policy,
    actor,
    db,
    isSudo: options.isSudo ?? false,
    isOutside: options.isOutside ?? false,
  });
}
