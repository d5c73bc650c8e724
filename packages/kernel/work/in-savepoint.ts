import type { Queryable, Transaction } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { workEvents, workState } from './work-state.ts';

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
