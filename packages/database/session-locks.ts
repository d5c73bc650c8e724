import { keepConnected } from './keep-connected.ts';
import type { ConnectionConfig } from './pool/parse-dsn.ts';
import { compile, type Sql, sql } from './sql/sql.ts';

/** Locks that live as long as the process that took them: PostgreSQL releases them when its connection ends. */
export interface SessionLocks {
  /** False if it is taken (also by this process), and without a connection. */
  tryLock(key: number): Promise<boolean>;
  unlock(key: number): Promise<void>;
  close(): Promise<void>;
}

export interface SessionLockLog {
  warn(message: string): void;
}

/** Advisory locks of one space (a number that identifies the kind of keys) on the service connection. */
export function createSessionLocks(config: ConnectionConfig, space: number, log: SessionLockLog): SessionLocks {
  const held = new Set<number>();
  const connection = keepConnected({
    config,
    onUp: () => {
      for (const key of held) void takeAgain(key);
    },
    onDown: (reason) => log.warn(`The connection for locks is gone (${reason}); trying again.`),
  });

  async function ask(statement: Sql): Promise<boolean> {
    const { text, values } = compile(statement);
    const [row] = await connection.query<{ is_done: boolean }>({ text, values: [...values] });
    return row?.is_done === true;
  }

  /** Locks that were held when the connection was lost are still in use. */
  async function takeAgain(key: number): Promise<void> {
    const isTaken = await ask(sql`select pg_try_advisory_lock(${space}::int4, ${key}::int4) as is_done`).catch(
      () => false,
    );
    if (!isTaken && held.has(key)) log.warn(`A lock could not be taken again: ${space}, ${key}.`);
  }

  return {
    async tryLock(key) {
      if (held.has(key)) return false;
      held.add(key);
      const isTaken = await ask(sql`select pg_try_advisory_lock(${space}::int4, ${key}::int4) as is_done`).catch(
        () => false,
      );
      if (!isTaken) held.delete(key);
      return isTaken;
    },
    async unlock(key) {
      if (!held.delete(key)) return;
      await ask(sql`select pg_advisory_unlock(${space}::int4, ${key}::int4) as is_done`).catch(() => false);
    },
    close: connection.close,
  };
}
