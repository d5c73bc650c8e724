import type { Database, Queryable, Transaction } from '@kontor/database';
import { type AccessPolicy, type Actor, type Change, createEnv, type Env } from '@kontor/orm';
import type { ObserverSpec } from '../addons/define-addon.ts';
import type { Automations } from '../automations/load-automations.ts';
import { runAutomations } from '../automations/run-automations.ts';
import type { RegistryIn } from '../translations/registries.ts';
import { createAside } from './aside.ts';
import { persistWork } from './persist-work.ts';
import { runObservers } from './run-observers.ts';
import { raiseSignals, type SignalName } from './signals.ts';
import { openSlots, type WorkSlots } from './work-slots.ts';

export interface WorkContext {
  readonly registryIn: RegistryIn;
  readonly policy: AccessPolicy;
  readonly database: Database;
  readonly automations: Automations;
  readonly observers: readonly ObserverSpec[];
  readonly canMail: boolean;
  /** Told when automations set each other off too deep, with the names of those that were not run. */
  readonly onCutOff: (names: readonly string[]) => void;
  /** Told after the commit, so that this and other processes look at what is new. */
  readonly onCommitted: (what: CommittedWork) => void;
}

export interface CommittedWork {
  readonly signals: ReadonlySet<SignalName>;
  /** Mail was put into the queue. */
  readonly hasMail: boolean;
}

export interface WorkOptions {
  readonly isSudo?: boolean;
  readonly isOutside?: boolean;
  readonly requestId?: string | null;
  /** Runs everything, then takes it back. */
  readonly isDryRun?: boolean;
  /** The last thing in the transaction, once the change set is known; there is none in a dry run. */
  readonly beforeCommit?: (env: Env, outcome: { result: unknown; changeSet: number | null }) => Promise<void>;
}

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
      const slots = openSlots(env.work, { canMail, isDryRun: options.isDryRun ?? false, aside });
      const result = await work(env);
      const { changes } = env.work;
      const cutOff = await runAutomations(env, context.automations);
      if (cutOff.length > 0) context.onCutOff(cutOff);
      await runObservers(env, context.observers);
      const changeSet = options.isDryRun ? null : await keep(context, tx, env, options, slots);
      await options.beforeCommit?.(env, { result, changeSet });
      return { result, changeSet, changes };
    },
    { rollback: options.isDryRun ?? false },
  );
  return outcome.catch((error: unknown) => aside.fail(error));
}

async function keep(
  context: WorkContext,
  tx: Transaction,
  env: Env,
  options: WorkOptions,
  slots: WorkSlots,
): Promise<number | null> {
  const { changeSet, hasEvents, signals } = await persistWork(env, tx, {
    requestId: options.requestId ?? null,
    published: slots.events,
    mayEnd: options.beforeCommit === undefined,
  });
  await raiseSignals(tx, signals);
  const { hasMail } = slots;
  if (hasEvents || hasMail || signals.size > 0) tx.afterCommit(() => context.onCommitted({ signals, hasMail }));
  return changeSet;
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
