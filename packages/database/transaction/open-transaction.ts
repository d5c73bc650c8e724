import { queue } from '@kontor/protocol';
import type { QueryResult } from 'pg';
import { isRetryable, isStalePlan } from '../errors/is-retryable.ts';
import { isConnectionFailure, unavailable } from '../errors/unavailable.ts';
import type { Lease } from '../pool/lease.ts';
import { type Answer, type RowForm, send, toOutgoing } from '../pool/send.ts';
import type { Cell } from '../pool/type-parsers.ts';
import type { Transaction } from '../queryable.ts';
import type { Sql } from '../sql/sql.ts';
import type { CsvPart } from '../wire/csv-rows.ts';
import { lostWhileSaving } from './lost-while-saving.ts';

export interface OpenTransaction {
  readonly handle: Transaction;
  readonly afterCommit: readonly (() => void | Promise<void>)[];
  /** `new`: nothing was asked of the database yet, so there is nothing to commit. */
  readonly state: 'new' | 'begun' | 'committed';
  /** The connection broke before the database answered anything: it certainly did nothing. */
  readonly wasLost: boolean;
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
  /** Goes with the first statement. */
  readonly begin: string;
  /** It is to be rolled back in any case. */
  readonly isTrial: boolean;
  readonly onStatement: () => void;
  readonly onStalePlan: () => void;
}

/** The handle on one connection. Statements run one after another in the order they were asked for. */
export function openTransaction(lease: Lease, hooks: TransactionHooks): OpenTransaction {
  let afterCommit: (() => void | Promise<void>)[] = [];
  const turns = queue();
  let lastFailure: unknown;
  let repeatCause: unknown;
  let statements = 0;
  let depth = 0;
  let isOver = false;
  let state: OpenTransaction['state'] = 'new';
  let wasLost = false;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const over = () => Promise.reject(new Error('The transaction is over; a statement was sent after its end.'));
    if (isOver) return over();
    const checked = (): Promise<T> => (isOver ? over() : work());
    return turns.run(checked);
  }

  function run(statement: Sql, form: RowForm, isLast = false): Promise<Answer> {
    const outgoing = toOutgoing(statement, form);
    return inTurn(async () => {
      if (repeatCause) throw repeatCause;
      statements++;
      hooks.onStatement();
      const ends = isLast && depth === 0 && !hooks.isTrial;
      try {
        if (state === 'new' && !canAccompany(hooks.begin)) await begin();
        const before = state === 'new' ? hooks.begin : null;
        // From here on a COMMIT may be on its way, and nothing may be repeated.
        if (ends) state = 'begun';
        const answer = await send(lease, outgoing, { before, after: ends ? 'commit' : null });
        state = ends ? 'committed' : 'begun';
        isOver ||= ends;
        return answer;
      } catch (error) {
        throw explain(error, ends);
      }
    });
  }

  async function begin(): Promise<void> {
    await lease.client.query(hooks.begin);
    state = 'begun';
  }

  function explain(error: unknown, ends: boolean): unknown {
    const isLost = isConnectionFailure(error);
    if (isLost && ends) return lostWhileSaving(error);
    if (state === 'new') wasLost = isLost;
    if (!isLost) state = 'begun';
    if (isStalePlan(error)) hooks.onStalePlan();
    if (isRetryable(error)) repeatCause = error;
    lastFailure = error;
    return unavailable(error) ?? error;
  }

  const control = (text: string): Promise<QueryResult> =>
    inTurn(async () => {
      try {
        if (state === 'new') await begin();
      } catch (error) {
        throw explain(error, false);
      }
      return lease.client.query(text).catch((error: unknown) => {
        throw unavailable(error) ?? error;
      });
    });

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
      throw error;
    } finally {
      depth--;
    }
  }

  const handle: Transaction = {
    query: async <Row extends object>(statement: Sql) => (await run(statement, 'objects')).rows as Row[],
    arrays: async (statement) => (await run(statement, 'arrays')).rows as Cell[][],
    json: async (statement, shape) => (await run(statement, shape)).rows as string,
    csv: async (statement, shape) => (await run(statement, shape)).rows as CsvPart,
    execute: async (statement) => (await run(statement, 'arrays')).rowCount,
    last: async <Row extends object>(statement: Sql) => (await run(statement, 'objects', true)).rows as Row[],
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
    get state() {
      return state;
    },
    get wasLost() {
      return wasLost;
    },
    control,
    failure: () => lastFailure,
    mustRepeat: () => repeatCause,
    end: () => {
      isOver = true;
    },
  };
}

/** Only one command can go with a statement. */
function canAccompany(begin: string): boolean {
  return !begin.includes(';');
}
