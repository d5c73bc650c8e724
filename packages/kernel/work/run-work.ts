import type { Queryable, Transaction } from '@kontor/database';
import { type Actor, type Change, createEnv, type Env, hasCachedChange, typedEnv, useRowCache } from '@kontor/orm';
import { changedRows, type FinishedWork, keepRows, noPurpose, nothingFinished, type OutboxEvent } from './keep-rows.ts';
import { rowsSignal } from './row-cache.ts';
import { createSideWork } from './side-work.ts';
import { raiseSignals } from './signals.ts';
import type { WorkContext, WorkOptions } from './work-context.ts';
import { openEvents, openState, type WorkState, workEvents, workState } from './work-state.ts';

export interface WorkOutcome<T> {
  readonly result: T;
  readonly changeSet: number | null;
  /** Whether the change set can be undone. */
  readonly canUndo: boolean;
  readonly changes: readonly Change[];
}

/** One unit of work: one transaction, retried as a whole, with its change set and events. */
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
      events: [event],
    });
    context.onCommitted({});
  });
  let state: WorkState | null = null;
  const outcome = database.transaction(
    async (tx) => {
      const env = envOn(context, actor, tx, options);
      side.begin();
      const writer = openChangeWriter(context, tx, env, options);
      openEvents(env.work, []);
      useRowCache(env.work, context.rows);
      const { address = null, via = null, requestId = null, purpose = noPurpose } = options;
      state = openState(env.work, {
        config,
        isDryRun,
        address,
        via,
        hasScope: options.scope != null,
        requestId,
        purpose,
        side,
        keepSoFar: writer.keepSoFar,
      });
      const result = await work(env).catch(async (error: unknown) => {
        throw (await writer.failure()) ?? error;
      });
      const { changes } = env.work;
      const changeSet = await writer.close();
      await options.beforeCommit?.(env, { result, changeSet });
      return { result, changeSet, canUndo: env.work.canUndo, changes };
    },
    { rollback: isDryRun, ...(options.signal && { signal: options.signal }) },
  );
  const done = await outcome
    .finally(() => {
      if (state) state.isOpen = false;
    })
    .catch((error: unknown) => side.fail(error));
  const { refusal = null, after = [] } = (state ?? {}) as Partial<WorkState>;
  if (refusal !== null) throw refusal;
  const { isSudo, address, via, requestId, purpose } = options;
  const later = { isSudo, address, via, requestId, purpose } as WorkOptions;
  for (const run of after)
    await run(async (own) => (await runWork(context, actor, (env) => own(typedEnv(env)), later)).result);
  return done;
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
    scope: options.scope ?? null,
    isDryRun: options.isDryRun ?? false,
  });
}

/** Stores what a unit of work changed: at its end, and for long work in pieces that belong to one change set. */
export interface ChangeWriter {
  /**
   * Resolves when it is sent: the caller continues while the database writes it. A failure fails the whole unit of
   * work.
   */
  keepSoFar(): Promise<void>;
  /** Why the last piece could not be written; later statements failed because of it. */
  failure(): Promise<unknown>;
  /** The change set, if anything was changed; a dry run has none. */
  close(): Promise<number | null>;
}

interface NewRows {
  readonly changes: readonly Change[];
  readonly events: readonly OutboxEvent[];
  readonly changeSet: number | null;
}

/** What the work has changed since the last stored piece. */
function workSoFar({ uid, registry, work }: Env, options: WorkOptions, { changes, ...rows }: NewRows): FinishedWork {
  const { requestId = null, address = null, via = null, purpose = noPurpose } = options;
  const { canUndo, memo } = work;
  const changed = changedRows(registry, changes);
  return { uid: uid || null, requestId, address, via, purpose, changed, canUndo, memo, ...rows };
}

/** A dry run shows what it changed, but its rows are not needed. */
const shownOfDryRun = 10_000;

export function openChangeWriter(context: WorkContext, tx: Transaction, env: Env, options: WorkOptions): ChangeWriter {
  const signals = new Set<string>();
  const changed = new Set<string>();
  let changeSet: number | null = null;
  let hasEvents = false;
  /** Changes that observers have seen. */
  let seen = 0;
  let underway = Promise.resolve();

  async function observe(): Promise<void> {
    for (const observer of context.observers) await observer.run(env.outside(false), seen);
    options.guard?.(env, env.work.changes.slice(seen));
    seen = env.work.changes.length;
  }

  async function keep(mayEnd: boolean): Promise<void> {
    const events = workEvents(env.work) ?? [];
    if (hasCachedChange(env.work)) signals.add(rowsSignal);
    for (const { model } of env.work.changes) {
      changed.add(model);
      for (const signal of context.signalsOf.get(model) ?? []) signals.add(signal);
    }
    const changes = env.work.changes.filter((change) => !env.registry.model(change.model).quiet);
    hasEvents ||= changes.length > 0 || events.length > 0;
    const work = workSoFar(env, options, { changes, events, changeSet });
    // The statement is built before the first await, so that its data can be dropped.
    const keeping = keepRows(context.keepers, tx, work, mayEnd && signals.size === 0);
    events.length = 0;
    changeSet = await keeping;
  }

  return {
    async keepSoFar() {
      await observe();
      // The pieces belong to one change set, whose number comes with the first.
      await underway;
      if (!options.isDryRun) underway = keep(false);
      underway.catch(() => {});
      env.work.rewind(options.isDryRun ? shownOfDryRun : 0);
      seen = env.work.changes.length;
      await tx.sent();
    },
    failure: () =>
      underway.then(
        () => null,
        (error: unknown) => error,
      ),
    async close() {
      await observe();
      await underway;
      if (options.isDryRun) return null;
      await keep(options.beforeCommit === undefined);
      await raiseSignals(tx, signals);
      const notes = workState(env.work)?.notes ?? new Set();
      if (hasEvents || notes.size > 0 || signals.size > 0)
        tx.afterCommit(() => context.onCommitted({ signals, notes, changed }));
      return changeSet;
    },
  };
}
