import type { Transaction } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { keepRows } from './keep-rows.ts';
import { raiseSignals } from './signals.ts';
import type { WorkContext, WorkOptions } from './work-context.ts';
import { workEvents, workState } from './work-state.ts';

/** Writes down what a unit of work changed: at its end, and of long work in pieces that belong to one change set. */
export interface Ledger {
  keepSoFar(): Promise<void>;
  /** The change set, if anything was changed; a dry run has none. */
  close(): Promise<number | null>;
}

/** A dry run shows what it changed, but nobody reads more of it. */
const shownOfDryRun = 10_000;

export function openLedger(context: WorkContext, tx: Transaction, env: Env, options: WorkOptions): Ledger {
  const signals = new Set<string>();
  let changeSet: number | null = null;
  let hasEvents = false;
  /** Changes that observers have seen. */
  let seen = 0;

  async function observe(): Promise<void> {
    for (const run of context.observers) await run(env, seen);
    seen = env.work.changes.length;
  }

  async function keep(mayEnd: boolean): Promise<void> {
    const events = workEvents(env.work) ?? [];
    for (const { model } of env.work.changes) {
      const signal = context.signalOf.get(model);
      if (signal !== undefined) signals.add(signal);
    }
    const changes = env.work.changes.filter((change) => !env.registry.model(change.model).quiet);
    hasEvents ||= changes.length > 0 || events.length > 0;
    const work = {
      registry: env.registry,
      uid: env.uid,
      requestId: options.requestId ?? null,
      changes,
      events,
      changeSet,
    };
    changeSet = await keepRows(context.keepers, tx, work, mayEnd && signals.size === 0);
    events.length = 0;
  }

  return {
    async keepSoFar() {
      await observe();
      if (!options.isDryRun) await keep(false);
      env.work.rewind(options.isDryRun ? shownOfDryRun : 0);
      seen = env.work.changes.length;
    },
    async close() {
      await observe();
      if (options.isDryRun) return null;
      await keep(options.beforeCommit === undefined);
      await raiseSignals(tx, signals);
      const notes = workState(env.work)?.notes ?? new Set();
      if (hasEvents || notes.size > 0 || signals.size > 0)
        tx.afterCommit(() => context.onCommitted({ signals, notes }));
      return changeSet;
    },
  };
}
