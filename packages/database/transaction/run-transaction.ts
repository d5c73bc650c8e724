import { setTimeout as pause } from 'node:timers/promises';
import { isRetryable, isStalePlan } from '../errors/sql-state.ts';
import { isConnectionFailure, lostWhileSaving } from '../errors/unavailable.ts';
import type { Purpose } from '../pool/connection-queue.ts';
import type { Leases } from '../pool/open-pool.ts';
import type { Transaction, TransactionOptions } from '../queryable.ts';
import { hangUp } from '../wire/driver-connection.ts';
import { type OpenTransaction, openTransaction } from './open-transaction.ts';

export interface TransactionContext {
  readonly leases: Leases;
  readonly purpose: 'usual' | 'urgent';
  readonly onWarning: (message: string, error: unknown) => void;
  readonly onStatement: () => void;
}

type Work<T> = (tx: Transaction) => Promise<T>;

const defaultRetries = 5;
/** Plans that a schema change invalidated are retried without being counted; this is the limit while it keeps changing. */
export const maxStaleRetries = 20;

export async function runTransaction<T>(
  context: TransactionContext,
  work: Work<T>,
  options: TransactionOptions,
): Promise<T> {
  const retries = options.retries ?? defaultRetries;
  let stale = 0;
  let lost = 0;
  for (let attempt = 0; ; ) {
    const outcome = await runOnce(context, work, options);
    if ('result' in outcome) return outcome.result;
    const { error, wasLost } = outcome;
    if (isStalePlan(error) && stale < maxStaleRetries) stale++;
    // A pooled connection may have died unseen; another one is tried once.
    else if (wasLost && lost === 0) lost++;
    else if (!isRetryable(error) || attempt >= retries) throw error;
    else await pause(backOffMs(attempt++));
  }
}

/** Doubling, with half of it random so that two that collided do not collide again. */
function backOffMs(attempt: number): number {
  return Math.min(1_000, 10 * 2 ** attempt) * (0.5 + Math.random());
}

type Outcome<T> = { readonly result: T } | { readonly error: unknown; readonly wasLost: boolean };

async function runOnce<T>(
  context: TransactionContext,
  work: Work<T>,
  options: TransactionOptions,
): Promise<Outcome<T>> {
  const { signal } = options;
  signal?.throwIfAborted();
  const lease = await context.leases.take(purposeOf(context, options));
  lease.statementTimeoutMs = options.statementTimeoutMs ?? lease.statementTimeoutMs;
  if (signal?.aborted) {
    lease.release();
    throw signal.reason;
  }
  const end = (): void => hangUp(lease.client);
  signal?.addEventListener('abort', end);
  const transaction = openTransaction(lease, {
    begin: beginStatement(options),
    isTrial: options.rollback ?? false,
    onStatement: context.onStatement,
    onStalePlan: context.leases.dropPlans,
  });
  let isBroken = true;
  let result: T;
  try {
    result = await work(transaction.handle);
    if (transaction.mustRepeat()) throw transaction.mustRepeat();
    if (transaction.state === 'begun') await (options.rollback ? undo(transaction) : commit(transaction));
    isBroken = false;
  } catch (error) {
    if (signal?.aborted) return { error: signal.reason, wasLost: false };
    isBroken = isConnectionFailure(error) || !(await isRolledBack(transaction));
    if (transaction.state === 'committed') await runAfterCommit(transaction, context.onWarning);
    return { error, wasLost: transaction.wasLost };
  } finally {
    signal?.removeEventListener('abort', end);
    transaction.end();
    lease.release(isBroken);
  }
  if (!options.rollback) await runAfterCommit(transaction, context.onWarning);
  // The change exists, but would be lost with this server: it must not be reported as safe.
  if (lease.marks.isUncopied)
    return { error: lostWhileSaving(new Error('the standby did not confirm it')), wasLost: false };
  return { result };
}

function purposeOf({ purpose }: TransactionContext, { readOnly }: TransactionOptions): Purpose {
  if (purpose === 'urgent') return purpose;
  return readOnly ? 'read' : 'change';
}

async function commit(transaction: OpenTransaction): Promise<void> {
  let command: string;
  try {
    command = (await transaction.control('commit')).command;
  } catch (error) {
    throw isConnectionFailure(error) ? lostWhileSaving(error) : error;
  }
  if (command === 'ROLLBACK') {
    throw transaction.failure() ?? new Error('The database rolled the transaction back instead of committing it.');
  }
}

/** Checks deferred constraints, so that a dry run fails where a commit would. */
async function undo(transaction: OpenTransaction): Promise<void> {
  await transaction.control('set constraints all immediate');
  await transaction.control('rollback');
}

async function isRolledBack(transaction: OpenTransaction): Promise<boolean> {
  if (transaction.state !== 'begun') return true;
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

const isolationLevels: Readonly<Record<NonNullable<TransactionOptions['isolation']>, string>> = {
  'read committed': ' isolation level read committed',
  'repeatable read': ' isolation level repeatable read',
  serializable: ' isolation level serializable',
};

/** One text, one round trip: BEGIN and the settings of this transaction. */
function beginStatement({ isolation, readOnly, statementTimeoutMs }: TransactionOptions): string {
  const level = isolation ? isolationLevels[isolation] : '';
  const begin = `begin${level}${readOnly ? ' read only' : ''}`;
  if (statementTimeoutMs === undefined) return begin;
  if (!Number.isSafeInteger(statementTimeoutMs) || statementTimeoutMs < 0) {
    throw new TypeError(`Not a statement timeout in milliseconds: ${statementTimeoutMs}`);
  }
  return `${begin}; set local statement_timeout = ${statementTimeoutMs}`;
}
