import type { Transaction } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { runAutomations } from '../automations/run-automations.ts';
import { persistWork } from './persist-work.ts';
import { runObservers } from './run-observers.ts';
import { raiseSignals, type SignalName } from './signals.ts';
import type { WorkContext, WorkOptions } from './work-context.ts';
import { slotsOf } from './work-slots.ts';

/** Writes down what a unit of work changed: at its end, and of long work in parts that belong to one change set. */
export interface Ledger {
  keepSoFar(): Promise<void>;
  /** The change set, if anything was changed; a dry run has none. */
  close(): Promise<number | null>;
}

/** A dry run shows what it changed, but nobody reads more of it. */
const shownOfDryRun = 10_000;

export function openLedger(context: WorkContext, tx: Transaction, env: Env, options: WorkOptions): Ledger {
  const signals = new Set<SignalName>();
  let changeSet: number | null = null;
  let hasEvents = false;
  /** Changes that automations and observers have seen. */
  let seen = 0;

  async function react(): Promise<void> {
    const cutOff = await runAutomations(env, context.automations, seen);
    if (cutOff.length > 0) context.onCutOff(cutOff);
    await runObservers(env, context.observers, seen);
    seen = env.work.changes.length;
  }

  async function keep(mayEnd: boolean): Promise<void> {
    const slots = slotsOf(env.work);
    const kept = await persistWork(env, tx, {
      ...{ requestId: options.requestId ?? null, published: slots?.events ?? [], mayEnd, changeSet },
    });
    changeSet = kept.changeSet;
    hasEvents ||= kept.hasEvents;
    for (const name of kept.signals) signals.add(name);
    if (slots) slots.events.length = 0;
  }

  return {
    async keepSoFar() {
      await react();
      if (!options.isDryRun) await keep(false);
      env.work.rewind(options.isDryRun ? shownOfDryRun : 0);
      seen = env.work.changes.length;
    },
    async close() {
      await react();
      if (options.isDryRun) return null;
      await keep(options.beforeCommit === undefined);
      await raiseSignals(tx, signals);
      const hasMail = slotsOf(env.work)?.hasMail ?? false;
      if (hasEvents || hasMail || signals.size > 0) tx.afterCommit(() => context.onCommitted({ signals, hasMail }));
      return changeSet;
    },
  };
}
