import { queue } from '@kontor/protocol';
import type { Client } from 'pg';
import { keepConnected } from './keep-connected.ts';
import type { ConnectionConfig } from './pool/parse-dsn.ts';
import { compile, type Sql, sql } from './sql/sql.ts';

/** Locks that live as long as the process that took them: PostgreSQL lets them go when its connection ends. */
export interface SessionLocks {
  /** False if it is taken (also by this process), and without a connection. */
  tryLock(key: number): Promise<boolean>;
  unlock(key: number): Promise<void>;
  close(): Promise<void>;
}

export interface SessionLockLog {
  warn(message: string): void;
}

/** Advisory locks of one space (a number that identifies the kind of keys) on a separate connection. */
export function createSessionLocks(config: ConnectionConfig, space: number, log: SessionLockLog): SessionLocks {
  const held = new Set<number>();
  // One connection answers one question at a time.
  const turns = queue();
  const connection = keepConnected({
    config: { ...config, application_name: 'kontor locks' },
    greeting: 'select',
    onUp: () => {
      for (const key of held) void takeAgain(key);
    },
    onNotification: () => {},
    onDown: (reason) => log.warn(`The connection for locks is gone (${reason}); trying again.`),
  });

  function ask(statement: Sql): Promise<boolean> {
    return turns.run(async () => (connection.client ? isTrue(connection.client, statement) : false));
  }

  /** Locks that were held when the connection was lost are still in use. */
  async function takeAgain(key: number): Promise<void> {
    const isTaken = await ask(sql`select pg_try_advisory_lock(${space}::int4, ${key}::int4)`).catch(() => false);
    if (!isTaken && held.has(key)) log.warn(`A lock could not be taken again: ${space}, ${key}.`);
  }

  return {
    async tryLock(key) {
      if (held.has(key)) return false;
      held.add(key);
      const isTaken = await ask(sql`select pg_try_advisory_lock(${space}::int4, ${key}::int4)`).catch(() => false);
      if (!isTaken) held.delete(key);
      return isTaken;
    },
    async unlock(key) {
      if (!held.delete(key)) return;
      await ask(sql`select pg_advisory_unlock(${space}::int4, ${key}::int4)`).catch(() => false);
    },
    close: connection.close,
  };
}

async function isTrue(client: Client, statement: Sql): Promise<boolean> {
  const { text, values } = compile(statement);
  const { rows } = await client.query({ text, values: [...values], rowMode: 'array' });
  return (rows as unknown[][])[0]?.[0] === true;
}
