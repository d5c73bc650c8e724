import type { Queryable } from '@kontor/database';
import { type Actor, type Change, createEnv, type Env } from '@kontor/orm';
import { createAside } from './aside.ts';
import { openLedger } from './open-ledger.ts';
import type { WorkContext, WorkOptions } from './work-context.ts';
import { openSlots } from './work-slots.ts';

export interface WorkOutcome<T> {
  readonly result: T;
  readonly changeSet: number | null;
  readonly changes: readonly Change[];
}

/** One unit of work: one transaction, retried as a whole, with its change set and events written beside it. */
export async function runWork<T>(
  context: WorkContext,
  actor: Actor,
  work: (env: Env) => Promise<T>,
  options: WorkOptions = {},
): Promise<WorkOutcome<T>> {
  const { database, canMail } = context;
  const ring = () => context.onCommitted({ signals: new Set(), hasMail: false });
  const aside = createAside(database, ring);
  const outcome = database.transaction(
    async (tx) => {
      const env = envOn(context, actor, tx, options);
      aside.begin();
      const ledger = openLedger(context, tx, env, options);
      openSlots(env.work, { canMail, isDryRun: options.isDryRun ?? false, aside, keepSoFar: ledger.keepSoFar });
      const result = await work(env);
      const { changes } = env.work;
      const changeSet = await ledger.close();
      await options.beforeCommit?.(env, { result, changeSet });
      return { result, changeSet, changes };
    },
    { rollback: options.isDryRun ?? false },
  );
  return outcome.catch((error: unknown) => aside.fail(error));
}

export function envOn(
  context: Pick<WorkContext, 'registryIn' | 'policy'>,
  actor: Actor,
  db: Queryable,
  options: WorkOptions = {},
): Env {
  return createEnv({
    registry: context.registryIn(actor.lang),
    policy: context.policy,
    actor,
    db,
    isSudo: options.isSudo ?? false,
    isOutside: options.isOutside ?? false,
  });
}
