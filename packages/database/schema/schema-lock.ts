import { setTimeout as pause } from 'node:timers/promises';
import { KontorError } from '@kontor/protocol';
import { serverError } from '../errors/sql-state.ts';
import type { Transaction } from '../queryable.ts';
import { ident, join, type Sql, sql } from '../sql/sql.ts';

export interface LockOptions {
  /** Lock timeout of one try, in milliseconds. While it waits, other sessions queue behind it. */
  readonly lockTimeoutMs?: number;
  readonly lockTries?: number;
}

const schemaChange = 0x6b6f6e74;
const lockNotAvailable = '55P03';

/**
 * Runs a schema change: one at a time in the database, with a short lock timeout and no statement timeout. The settings of the
 * transaction are restored afterwards.
 */
export async function changingSchema<T>(
  tx: Transaction,
  options: LockOptions,
  work: (locks: SchemaLocks) => Promise<T>,
): Promise<T> {
  const [before] = await tx.query<Record<'lock' | 'statement', string>>(
    sql`select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`,
  );
  await setTimeouts(tx, `${options.lockTimeoutMs ?? 2_000}ms`, '0');
  const locks = createLocks(tx, options.lockTries ?? 8);
  await locks.take(sql`select pg_advisory_xact_lock(${schemaChange})`, 'Another process is changing the schema.');
  const result = await work(locks);
  await setTimeouts(tx, before?.lock ?? '0', before?.statement ?? '0');
  return result;
}

async function setTimeouts(tx: Transaction, lock: string, statement: string): Promise<void> {
  await tx.query(
    sql`select set_config('lock_timeout', ${lock}, true), set_config('statement_timeout', ${statement}, true)`,
  );
}

export interface SchemaLocks {
  readonly retries: number;
  take(statement: Sql, blocked: string): Promise<void>;
  /** Takes every lock before the first change, so that it never waits while holding some of them. */
  takeTables(changed: readonly string[], beside: readonly string[]): Promise<void>;
}

function createLocks(tx: Transaction, tries: number): SchemaLocks {
  let retries = 0;

  async function take(statement: Sql, blocked: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await tx.savepoint(() => tx.execute(statement));
        return;
      } catch (error) {
        if (serverError(error)?.code !== lockNotAvailable) throw error;
        if (attempt >= tries) throw busy(blocked, error);
        retries++;
        await pause(Math.min(1_000, 50 * 2 ** attempt) * (0.5 + Math.random()));
      }
    }
  }

  return {
    get retries() {
      return retries;
    },
    take,
    async takeTables(changed, beside) {
      const statements = [
        ...(changed.length > 0 ? [lockTables(changed, sql`access exclusive`)] : []),
        ...(beside.length > 0 ? [lockTables(beside, sql`share row exclusive`)] : []),
      ];
      if (statements.length === 0) return;
      const names = [...changed, ...beside].join(', ');
      await take(join(statements, sql`; `), `The schema cannot change while these tables are in use: ${names}.`);
    },
  };
}

function lockTables(names: readonly string[], mode: Sql): Sql {
  return sql`lock table ${join([...names].sort().map((name) => ident(name)))} in ${mode} mode`;
}

function busy(message: string, cause: unknown): KontorError {
  const error = new KontorError('UNAVAILABLE', `${message} Try again in a moment.`);
  error.cause = cause;
  return error;
}
