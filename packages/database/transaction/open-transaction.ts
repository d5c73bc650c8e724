import { type Queue, queue } from '@kontor/protocol';
import type { QueryResult } from 'pg';
import { isRetryable, isStalePlan } from '../errors/sql-state.ts';
import { isConnectionFailure, lostWhileSaving, unavailable } from '../errors/unavailable.ts';
import type { Lease } from '../pool/lease.ts';
import { type Answer, type Outgoing, type RowForm, send, toOutgoing } from '../pool/send.ts';
import type { Cell } from '../pool/type-parsers.ts';
import type { Transaction } from '../queryable.ts';
import type { Sql } from '../sql/sql.ts';
import type { CsvPart } from '../wire/csv-rows.ts';
import { untilSent } from '../wire/driver-connection.ts';
import type { AnswerBounds } from '../wire/fetch-rows.ts';

export interface OpenTransaction {
  readonly handle: Transaction;
  readonly afterCommit: readonly (() => void | Promise<void>)[];
  /** `new`: no statement was sent yet, so there is nothing to commit. */
  readonly state: 'new' | 'begun' | 'committed';
  /** The connection broke before the database answered anything: it certainly did nothing. */
  readonly wasLost: boolean;
  /** Sends transaction control; it is not counted as a statement. */
  control(text: string): Promise<QueryResult>;
  /** The last error of the server; it explains a commit that turns out to be a rollback after a swallowed error. */
  failure(): unknown;
  /** A deadlock or similar that the work caught in a savepoint: the transaction must run again. */
  mustRepeat(): unknown;
  /** Rejects every later statement, so that work that was not awaited cannot reach another transaction. */
  end(): void;
}

export interface TransactionHooks {
  /** Sent with the first statement. */
  readonly begin: string;
  /** It will be rolled back in any case. */
  readonly isTrial: boolean;
  readonly onStatement: () => void;
  readonly onStalePlan: () => void;
}

/** State of a running transaction. */
interface Progress {
  readonly lease: Lease;
  readonly hooks: TransactionHooks;
  readonly turns: Queue;
  afterCommit: (() => void | Promise<void>)[];
  lastFailure: unknown;
  repeatCause: unknown;
  statements: number;
  /** How many savepoints are open. */
  depth: number;
  isOver: boolean;
  state: OpenTransaction['state'];
  wasLost: boolean;
}

/** The handle on one connection. Statements run one after another in the order they were asked for. */
export function openTransaction(lease: Lease, hooks: TransactionHooks): OpenTransaction {
  const progress: Progress = {
    lease,
    hooks,
    turns: queue(),
    afterCommit: [],
    lastFailure: undefined,
    repeatCause: undefined,
    statements: 0,
    depth: 0,
    isOver: false,
    state: 'new',
    wasLost: false,
  };
  return {
    handle: handleOn(progress),
    get afterCommit() {
      return progress.afterCommit;
    },
    get state() {
      return progress.state;
    },
    get wasLost() {
      return progress.wasLost;
    },
    control: (text) => control(progress, text),
    failure: () => progress.lastFailure,
    mustRepeat: () => progress.repeatCause,
    end: () => {
      progress.isOver = true;
    },
  };
}

function handleOn(progress: Progress): Transaction {
  const run = (
    statement: Sql,
    form: RowForm,
    { isLast = false, bounds }: { readonly isLast?: boolean; readonly bounds?: AnswerBounds | undefined } = {},
  ): Promise<Answer> => runStatement(progress, toOutgoing(statement, form, bounds), isLast);
  return {
    query: async <Row extends object>(statement: Sql) => (await run(statement, 'objects')).rows as Row[],
    arrays: async (statement, bounds) => (await run(statement, 'arrays', { bounds })).rows as Cell[][],
    json: async (statement, shape, bounds) => (await run(statement, shape, { bounds })).rows as string,
    csv: async (statement, shape) => (await run(statement, shape)).rows as CsvPart,
    execute: async (statement) => (await run(statement, 'arrays')).rowCount,
    last: async <Row extends object>(statement: Sql) =>
      (await run(statement, 'objects', { isLast: true })).rows as Row[],
    get statements() {
      return progress.statements;
    },
    afterCommit: (work) => {
      progress.afterCommit.push(work);
    },
    savepoint: (work) => inSavepoint(progress, work),
    sent: () => untilSent(progress.lease.client),
  };
}

function inTurn<T>(progress: Progress, work: () => Promise<T>): Promise<T> {
  const over = () => Promise.reject(new Error('The transaction is over; a statement was sent after its end.'));
  if (progress.isOver) return over();
  return progress.turns.run((): Promise<T> => (progress.isOver ? over() : work()));
}

function runStatement(progress: Progress, outgoing: Outgoing, isLast: boolean): Promise<Answer> {
  const { lease, hooks } = progress;
  return inTurn(progress, async () => {
    if (progress.repeatCause) throw progress.repeatCause;
    progress.statements++;
    hooks.onStatement();
    const ends = isLast && progress.depth === 0 && !hooks.isTrial;
    try {
      if (progress.state === 'new' && !canAccompany(hooks.begin)) await begin(progress);
      const before = progress.state === 'new' ? hooks.begin : null;
      // From here on a COMMIT may have been sent, and nothing may be retried.
      if (ends) progress.state = 'begun';
      const answer = await send(lease, outgoing, { before, after: ends ? 'commit' : null });
      progress.state = ends ? 'committed' : 'begun';
      progress.isOver ||= ends;
      return answer;
    } catch (error) {
      throw explain(progress, error, ends);
    }
  });
}

async function begin(progress: Progress): Promise<void> {
  await progress.lease.client.query(progress.hooks.begin);
  progress.state = 'begun';
}

function explain(progress: Progress, error: unknown, ends: boolean): unknown {
  const isLost = isConnectionFailure(error);
  if (isLost && ends) return lostWhileSaving(error);
  if (progress.state === 'new') progress.wasLost = isLost;
  if (!isLost) progress.state = 'begun';
  if (isStalePlan(error)) progress.hooks.onStalePlan();
  if (isRetryable(error)) progress.repeatCause = error;
  progress.lastFailure = error;
  return unavailable(error) ?? error;
}

function control(progress: Progress, text: string): Promise<QueryResult> {
  return inTurn(progress, async () => {
    try {
      if (progress.state === 'new') await begin(progress);
    } catch (error) {
      throw explain(progress, error, false);
    }
    return progress.lease.client.query(text).catch((error: unknown) => {
      throw unavailable(error) ?? error;
    });
  });
}

async function inSavepoint<T>(progress: Progress, work: () => Promise<T>): Promise<T> {
  const name = `s${++progress.depth}`;
  const hooksBefore = progress.afterCommit.length;
  try {
    // Not awaited: statements arrive in order, and the work has things to do before its first one.
    const begun = control(progress, `savepoint ${name}`);
    begun.catch(() => {});
    const result = await work().catch(async (error: unknown) => {
      await begun;
      throw error;
    });
    await begun;
    await control(progress, `release savepoint ${name}`);
    return result;
  } catch (error) {
    progress.afterCommit = progress.afterCommit.slice(0, hooksBefore);
    await control(progress, `rollback to savepoint ${name}; release savepoint ${name}`).catch(() => {});
    throw error;
  } finally {
    progress.depth--;
  }
}

/** Only one command can go with a statement. */
function canAccompany(begin: string): boolean {
  return !begin.includes(';');
}
