import { setTimeout as pause } from 'node:timers/promises';
import { KontorError } from '@kontor/protocol';
import { isRetryable, isStalePlan } from '../errors/is-retryable.ts';
import { isConnectionFailure, unavailable } from '../errors/unavailable.ts';
import { withCause } from '../errors/with-cause.ts';
import type { Lease } from '../pool/lease.ts';
import type { Leases } from '../pool/open-pool.ts';
import type { Transaction, TransactionOptions } from '../queryable.ts';
import { beginStatement } from './begin-statement.ts';
import { type OpenTransaction, openTransaction } from './open-transaction.ts';

export interface TransactionContext {
  readonly leases: Leases;
  readonly onWarning: (message: string, error: unknown) => void;
  readonly onStatement: () => void;
}

type Work<T> = (tx: Transaction) => Promise<T>;

const defaultRetries = 5;
/** Plans outgrown by a schema change are retried without being counted; this bounds a schema that never rests. */
const maxStaleRetries = 20;

export async function runTransaction<T>(
  context: TransactionContext,
  work: Work<T>,
  options: TransactionOptions,
): Promise<T> {
  const retries = options.retries ?? defaultRetries;
  let stale = 0;
  for (let attempt = 0; ; ) {
    try {
      return await runOnce(context, work, options);
    } catch (error) {
      if (isStalePlan(error) && stale < maxStaleRetries) {
        stale++;
        continue;
      }
      if (!isRetryable(error) || attempt >= retries) throw error;
      await pause(backOffMs(attempt++));
    }
  }
}

/** Doubling, with half of it random so that two that collided do not collide again. */
function backOffMs(attempt: number): number {
  return Math.min(1_000, 10 * 2 ** attempt) * (0.5 + Math.random());
}

async function runOnce<T>(context: TransactionContext, work: Work<T>, options: TransactionOptions): Promise<T> {
  const lease = await takeBegun(context.leases, beginStatement(options));
  const transaction = openTransaction(lease, {
    onStatement: context.onStatement,
    onStalePlan: context.leases.dropPlans,
  });
  let isBroken = true;
  let result: T;
  try {
    result = await work(transaction.handle);
    if (transaction.mustRepeat()) throw transaction.mustRepeat();
    await (options.rollback ? undo(transaction) : commit(transaction));
    isBroken = false;
  } catch (error) {
    isBroken = isConnectionFailure(error) || !(await isRolledBack(transaction));
    throw unavailable(error) ?? error;
  } finally {
    transaction.end();
    lease.release(isBroken);
  }
  if (!options.rollback) await runAfterCommit(transaction, context.onWarning);
  return result;
}

/** A pooled connection may have died unseen; nothing has happened yet, so another one is tried once. */
async function takeBegun(leases: Leases, begin: string, isSecondTry = false): Promise<Lease> {
  const lease = await leases.take();
  try {
    await lease.client.query(begin);
    return lease;
  } catch (error) {
    lease.release(true);
    if (isSecondTry || !isConnectionFailure(error)) throw unavailable(error) ?? error;
  }
  return takeBegun(leases, begin, true);
}

async function commit(transaction: OpenTransaction): Promise<void> {
  let command: string;
  try {
    command = (await transaction.control('commit')).command;
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    const unknown = new KontorError(
      'UNAVAILABLE',
      'The connection to the database was lost while saving. Check whether the change arrived before you repeat it.',
    );
    throw withCause(unknown, error);
  }
  if (command === 'ROLLBACK') {
    throw transaction.failure() ?? new Error('The database rolled the transaction back instead of committing it.');
  }
}

/** What would only fail at the commit must fail in a trial run too. */
async function undo(transaction: OpenTransaction): Promise<void> {
  await transaction.control('set constraints all immediate');
  await transaction.control('rollback');
}

async function isRolledBack(transaction: OpenTransaction): Promise<boolean> {
  return transaction.control('rollback').then(
    () => true,
    () => false,
  );
}

async function runAfterCommit(transaction: OpenTransaction, onWarning: TransactionContext['onWarning']): Promise<void> {
  for (const work of transaction.afterCommit) {
    try {
      await work();
    } catch (error) {
      onWarning('Work after a commit failed.', error);
    }
  }
}
