import type { Queryable, Transaction } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { slotsOf } from './work-slots.ts';

/** Work that may fail without taking the rest of its transaction with it: rows, changes and events of it are taken back. */
export async function inSavepoint<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const changes = env.work.changes.length;
  const slots = slotsOf(env.work);
  const events = slots?.events.length ?? 0;
  const hadMail = slots?.hasMail ?? false;
  try {
    return await transactionOf(env.db).savepoint(work);
  } catch (error) {
    env.work.rewind(changes);
    if (slots) {
      slots.events.length = events;
      slots.hasMail = hadMail;
    }
    throw error;
  }
}

function transactionOf(db: Queryable): Transaction {
  if ('savepoint' in db) return db as Transaction;
  throw new Error('There is no transaction to take something back in.');
}
