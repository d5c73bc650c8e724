import { Pool, type PoolClient } from 'pg';
import { unavailable } from '../errors/unavailable.ts';
import { TappedClient } from '../wire/row-tap.ts';
import type { ConnectionConfig } from './connection-config.ts';
import type { Lease } from './lease.ts';
import { openSession, type SessionSettings } from './session.ts';
import { createStatementCache, type PlanGeneration, type StatementCache } from './statement-cache.ts';

export interface PoolOptions {
  readonly connection: ConnectionConfig;
  readonly maxConnections: number;
  readonly maxStatements: number;
  readonly connectTimeoutMs: number;
  readonly session: SessionSettings;
  readonly onWarning: (message: string, error: unknown) => void;
}

export interface PoolCounts {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Leases {
  take(): Promise<Lease>;
  counts(): PoolCounts;
  /** A plan turned out to be older than the schema: every connection drops its plans before its next statement. */
  dropPlans(): void;
  close(): Promise<void>;
}

export function openPool(options: PoolOptions): Leases {
  const { onWarning, session } = options;
  const generation: PlanGeneration = { current: 0 };
  const caches = new WeakMap<PoolClient, StatementCache>();
  const open = new Set<Promise<void>>();
  let isClosing = false;
  const { connectTimeoutMs, ...connection } = options.connection;
  const pool = new Pool({
    ...connection,
    Client: TappedClient,
    max: options.maxConnections,
    connectionTimeoutMillis: connectTimeoutMs ?? options.connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    onConnect: async (client) => {
      // Without a listener, a connection that dies while it is taken and silent would end the process.
      client.on('error', () => {});
      const ended = new Promise<void>((resolve) => client.once('end', resolve)).then(() => void open.delete(ended));
      open.add(ended);
      await openSession(client, session);
    },
  });
  pool.on('error', (error) => {
    if (!isClosing) onWarning('An idle database connection was lost.', error);
  });

  function cacheOf(client: PoolClient): StatementCache {
    const known = caches.get(client);
    if (known) return known;
    const made = createStatementCache(client, generation, options.maxStatements);
    caches.set(client, made);
    return made;
  }

  return {
    async take() {
      try {
        const client = await pool.connect();
        return { client, statements: cacheOf(client), release: (isBroken) => client.release(isBroken) };
      } catch (error) {
        throw unavailable(error) ?? error;
      }
    },
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    dropPlans: () => {
      generation.current++;
    },
    async close() {
      isClosing = true;
      await pool.end();
      // The pool does not wait for its connections; the server would still count them.
      await Promise.all(open);
    },
  };
}
