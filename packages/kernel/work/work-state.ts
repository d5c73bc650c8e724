import type { Queryable, Transaction } from '@kontor/database';
import type { Env, UnitOfWork } from '@kontor/orm';
import type { Config } from '../config.ts';
import type { OutboxEvent } from './keep-rows.ts';
import type { SideWork } from './side-work.ts';

/** What a unit of work has beside its changes. */
export interface WorkState {
  readonly config: Config;
  /** What is told in this process after the commit, such as that mail waits. */
  readonly notes: Set<string>;
  /** Everything is taken back at the end. */
  readonly isDryRun: boolean;
  /** What is to be known before the end, or after a failure. */
  readonly side: SideWork;
  /**
   * Writes down what was changed so far and forgets it, so that long work does not hold all of it until its end. Observers
   * have seen it then. Not inside a savepoint.
   */
  readonly keepSoFar: () => Promise<void>;
}

const stateKey = 'kernel.state';
const eventsKey = 'kernel.events';

export function openState(work: UnitOfWork, given: Omit<WorkState, 'notes'>): void {
  work.memo.set(stateKey, { ...given, notes: new Set() } satisfies WorkState);
}

/** Null outside a unit of work: during an install, and while only reading. */
export function workState(work: UnitOfWork): WorkState | null {
  return (work.memo.get(stateKey) as WorkState | undefined) ?? null;
}

/** Events are gathered in the list and written at the end, also during an install. */
export function openEvents(work: UnitOfWork, events: OutboxEvent[]): void {
  work.memo.set(eventsKey, events);
}

/** Null while only reading. */
export function workEvents(work: UnitOfWork): OutboxEvent[] | null {
  return (work.memo.get(eventsKey) as OutboxEvent[] | undefined) ?? null;
}

/** Work that may fail without taking the rest of its transaction with it: rows, changes and events of it are taken back. */
export async function inSavepoint<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const changes = env.work.changes.length;
  const events = workEvents(env.work);
  const eventCount = events?.length ?? 0;
  const notes = workState(env.work)?.notes;
  const known = new Set(notes);
  try {
    return await transactionOf(env.db).savepoint(work);
  } catch (error) {
    env.work.rewind(changes);
    if (events) events.length = eventCount;
    for (const note of notes ?? []) if (!known.has(note)) notes?.delete(note);
    throw error;
  }
}

function transactionOf(db: Queryable): Transaction {
  if ('savepoint' in db) return db as Transaction;
  throw new Error('There is no transaction to take something back in.');
}
