import type { Queryable } from '@kontor/database';
import { type Actor, type Change, createEnv, type Env } from '@kontor/orm';
import { keepRows, nothingFinished } from './keep-rows.ts';
import { openLedger } from './ledger.ts';
import { createSideWork } from './side-work.ts';
import type { WorkContext, WorkOptions } from './work-context.ts';
import { openEvents, openState } from './work-state.ts';

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
  const { database, config } = context;
  const isDryRun = options.isDryRun ?? false;
  const side = createSideWork(database, async (db, event) => {
    await keepRows(context.keepers, db, {
      ...nothingFinished,
      registry: context.registryIn(actor.lang),
      events: [event],
    });
    context.onCommitted({ signals: new Set(), notes: new Set() });
  });
  const outcome = database.transaction(
    async (tx) => {
      const env = envOn(context, actor, tx, options);
      side.begin();
      const ledger = openLedger(context, tx, env, options);
      openEvents(env.work, []);
      openState(env.work, { config, isDryRun, side, keepSoFar: ledger.keepSoFar });
      const result = await work(env);
      const { changes } = env.work;
      const changeSet = await ledger.close();
      await options.beforeCommit?.(env, { result, changeSet });
      return { result, changeSet, changes };
    },
    { rollback: isDryRun },
  );
  return outcome.catch((error: unknown) => side.fail(error));
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
