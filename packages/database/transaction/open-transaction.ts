import type { QueryResult } from 'pg';
import { isRetryable, isStalePlan } from '../errors/is-retryable.ts';
import { unavailable } from '../errors/unavailable.ts';
import { type Answer, type Lease, type RowForm, send, toOutgoing } from '../pool/lease.ts';
import type { Cell, Transaction } from '../queryable.ts';
import type { Sql } from '../sql/sql.ts';

export interface OpenTransaction {
  readonly handle: Transaction;
  readonly afterCommit: readonly (() => void | Promise<void>)[];
  /** Sends transaction control; it is not counted as a statement. */
  control(text: string): Promise<QueryResult>;
  /** The last error the server answered with; what a swallowed error was when the commit turns out to be a rollback. */
  failure(): unknown;
  /** A deadlock or the like that the work caught in a savepoint: its result counts for nothing, it must run again. */
  mustRepeat(): unknown;
  /** Refuses every later statement, so that work that was not awaited cannot reach another transaction. */
  end(): void;
}

export interface TransactionHooks {
  readonly onStatement: () => void;
  readonly onStalePlan: () => void;
}

/** The handle on one connection. Statements run one after another in the order they were asked for. */
export function openTransaction(lease: Lease, hooks: TransactionHooks): OpenTransaction {
  let afterCommit: (() => void | Promise<void>)[] = [];
  let last: Promise<unknown> = Promise.resolve();
  let lastFailure: unknown;
  let repeatCause: unknown;
  let statements = 0;
  let depth = 0;
  let isOver = false;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (isOver) return Promise.reject(new Error('The transaction is over; a statement was sent after its end.'));
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  }

  function run(statement: Sql, form: RowForm): Promise<Answer> {
    const outgoing = toOutgoing(statement, form);
    return inTurn(async () => {
      if (repeatCause) throw repeatCause;
      statements++;
      hooks.onStatement();
      try {
        return await send(lease, outgoing);
      } catch (error) {
        if (isStalePlan(error)) hooks.onStalePlan();
        if (isRetryable(error)) repeatCause = error;
        lastFailure = error;
        throw unavailable(error) ?? error;
      }
    });
  }

  const control = (text: string): Promise<QueryResult> => inTurn(() => lease.client.query(text));

  async function savepoint<T>(work: () => Promise<T>): Promise<T> {
    const name = `s${++depth}`;
    const hooksBefore = afterCommit.length;
    try {
      await control(`savepoint ${name}`);
      const result = await work();
      await control(`release savepoint ${name}`);
      return result;
    } catch (error) {
      afterCommit = afterCommit.slice(0, hooksBefore);
      await control(`rollback to savepoint ${name}; release savepoint ${name}`).catch(() => {});
      throw unavailable(error) ?? error;
    } finally {
      depth--;
    }
  }

  const handle: Transaction = {
    query: async <Row extends object>(statement: Sql) => (await run(statement, 'objects')).rows as Row[],
    arrays: async (statement) => (await run(statement, 'arrays')).rows as Cell[][],
    json: async (statement, shape) => (await run(statement, shape)).rows as string,
    execute: async (statement) => (await run(statement, 'arrays')).rowCount,
    get statements() {
      return statements;
    },
    afterCommit: (work) => {
      afterCommit.push(work);
    },
    savepoint,
  };

  return {
    handle,
    get afterCommit() {
      return afterCommit;
    },
    control,
    failure: () => lastFailure,
    mustRepeat: () => repeatCause,
    end: () => {
      isOver = true;
    },
  };
}
