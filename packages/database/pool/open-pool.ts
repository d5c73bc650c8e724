import { KontorError } from '@kontor/protocol';
import { type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg';
import { unavailable } from '../errors/unavailable.ts';
import { compile, sql } from '../sql/sql.ts';
import { driverClient, driverConnection, hangUp } from '../wire/driver-connection.ts';
import { TappedClient } from '../wire/row-tap.ts';
import { bindValues } from './bind-values.ts';
import { createConnectionQueue, type Purpose } from './connection-queue.ts';
import type { Lease } from './lease.ts';
import type { ConnectionConfig } from './parse-dsn.ts';
import { atRightPlace, type Places } from './places.ts';
import { createSharedConnections, maxShared, type SharedConnections, sharedTimeoutMs } from './shared-connections.ts';
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
  take(purpose: Purpose): Promise<Lease>;
  /** Null: there are too few connections to reserve some, or they cache no statements. */
  readonly shared: SharedConnections | null;
  /** Closes all connections and rejects all callers, until the database answers again (null). */
  suspend(reason: Error | null): void;
  /** Closes connections whose server should have cancelled their statement by itself, but did not. */
  hangUpOverdue(): void;
  /** Waiting time of the first change for a connection. */
  changeWaitMs(): number;
  /** The server processes that work on changes. */
  changeProcesses(): readonly number[];
  counts(): PoolCounts;
  /** A plan was older than the schema: every connection drops its plans before its next statement. */
  dropPlans(): void;
  close(): Promise<void>;
}

// Over 60 lines: the functions share the pools, their clients and whether they are suspended.
export function openPool(options: PoolOptions): Leases {
  const { onWarning, session } = options;
  const generation: PlanGeneration = { current: 0 };
  const caches = new WeakMap<PoolClient, StatementCache>();
  const open = new Set<Promise<void>>();
  const clients = new Set<ClientBase>();
  const taken = new Map<PoolClient, Taken>();
  let isClosing = false;
  let suspension: Error | null = null;
  const { connectTimeoutMs = options.connectTimeoutMs, places, ...connection } = options.connection;
  const mayShare = options.maxConnections >= fewestWithShared && options.maxStatements > 0;
  const maxOwn = options.maxConnections - (mayShare ? maxShared : 0);
  const connectionQueue = createConnectionQueue(maxOwn, connectTimeoutMs);
  const poolOf = (max: number, settings: SessionSettings): Pool =>
    new Pool({
      ...connection,
      Client: places ? clientAt(places) : TappedClient,
      max,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      maxLifetimeSeconds,
      onConnect: async (client) => {
        // Without a listener, an idle leased connection that fails would crash the process.
        client.on('error', () => {});
        client.on('notice', ({ routine }) => {
          const one = taken.get(client as PoolClient);
          if (one && routine === uncopiedRoutine) one.lease.marks.isUncopied = true;
        });
        const ended = new Promise<void>((resolve) => client.once('end', resolve)).then(() => void open.delete(ended));
        open.add(ended);
        clients.add(client);
        void ended.then(() => clients.delete(client));
        await places?.check(client);
        await openSession(client, settings);
      },
    }).on('error', (error) => {
      if (!isClosing) onWarning('An idle database connection was lost.', error);
    });
  const sharedSession: SessionSettings = {
    ...session,
    statementTimeoutMs: sharedTimeoutMs,
    planCacheMode: 'force_generic_plan',
  };
  const pool = poolOf(maxOwn, session);
  const sharedPool = poolOf(maxShared, sharedSession);

  function cacheOf(client: PoolClient): StatementCache {
    const known = caches.get(client);
    if (known) return known;
    const made = createStatementCache(client, generation, options.maxStatements);
    caches.set(client, made);
    return made;
  }

  async function connect({ from, purpose, leave }: Wanted): Promise<Lease> {
    if (suspension) throw suspension;
    const client = await atRightPlace(places, () => from.connect());
    const statements = cacheOf(client);
    const release = (isBroken = false): void => {
      taken.delete(client);
      client.release(isBroken || statements.isHeavy);
      leave?.();
    };
    const marks = { isUncopied: false };
    // A shared statement is expected to end sooner, but its commit may wait for a disk or a standby.
    const { statementTimeoutMs } = session;
    const lease: Lease = { client, statements, statementTimeoutMs, marks, sharedFor: null, release };
    taken.set(client, { lease, purpose, since: performance.now(), written: 0 });
    return lease;
  }

  async function take(purpose: Purpose): Promise<Lease> {
    if (suspension) throw suspension;
    const leave = await connectionQueue.enter(purpose).catch((error: unknown) => {
      throw unavailable(error) ?? error;
    });
    try {
      return await connect({ from: pool, purpose, leave });
    } catch (error) {
      leave();
      throw unavailable(error) ?? error;
    }
  }

  const openShared = (): Promise<Lease> => connect({ from: sharedPool, purpose: 'read' });
  return {
    take,
    shared: mayShare ? createSharedConnections(openShared) : null,
    suspend(reason) {
      suspension = reason;
      if (!reason) return;
      connectionQueue.refuseAll(reason);
      for (const client of clients) hangUp(client);
    },
    hangUpOverdue() {
      for (const [client, one] of taken) {
        if (!isOverdue(client, one)) continue;
        onWarning('A connection whose statement did not end in time has been closed.', null);
        hangUp(client);
      }
    },
    changeWaitMs: () => connectionQueue.waitMs('change'),
    changeProcesses: () =>
      [...taken].flatMap(([client, { purpose }]) =>
        purpose === 'change' ? (driverClient(client).processID ?? []) : [],
      ),
    counts: () => ({
      total: pool.totalCount + sharedPool.totalCount,
      idle: pool.idleCount + sharedPool.idleCount,
      waiting: pool.waitingCount + connectionQueue.waiting,
    }),
    dropPlans: () => {
      generation.current++;
    },
    async close() {
      isClosing = true;
      await Promise.all([pool.end(), sharedPool.end()]);
      // The pool does not wait for its connections; the server would still count them.
      await Promise.all(open);
    },
  };
}

/** Also limits slow growth, such as the catalogue cache of the server process. */
const maxLifetimeSeconds = 3_600;

/** The pool opens its connections by itself, each at the server that is known to be the right one by then. */
function clientAt(places: Places): typeof TappedClient {
  return class extends TappedClient {
    constructor(config?: ClientConfig) {
      super({ ...config, ...places.now() });
    }
  };
}

/** The server's wait event for a standby: the text of its warning is localised. */
const uncopiedRoutine = 'SyncRepWaitForLSN';

/** With fewer connections none are reserved for short reads. */
const fewestWithShared = 8;

interface Wanted {
  readonly from: Pool;
  readonly purpose: Purpose;
  readonly leave?: () => void;
}

interface Taken {
  readonly lease: Lease;
  readonly purpose: Purpose;
  /** When its last statement was first seen; each one writes something. */
  since: number;
  written: number;
}

/** The server ends a statement at its own limit; after this additional time it is considered stuck. */
const overdueMs = 5_000;

function isOverdue(client: PoolClient, one: Taken): boolean {
  const { bytesWritten } = driverConnection(client).stream;
  const limitMs = one.lease.statementTimeoutMs;
  if (bytesWritten !== one.written || driverClient(client).readyForQuery) {
    one.written = bytesWritten;
    one.since = performance.now();
  }
  return limitMs > 0 && performance.now() - one.since > limitMs + overdueMs;
}

interface SessionSettings {
  readonly applicationName: string;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
  /** When a named statement is planned for its values, and when with a generic plan. */
  readonly planCacheMode?: 'auto' | 'force_generic_plan';
}

const oldestServer = 15;

interface ServerFacts {
  readonly version: string;
  readonly encoding: string;
}

/** One round trip on every new connection; SET rather than startup options, which connection poolers reject. */
async function openSession(client: ClientBase, settings: SessionSettings): Promise<void> {
  const { text, values } = compile(sql`select
    set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false),
    set_config('IntervalStyle', 'iso_8601', false), set_config('bytea_output', 'hex', false),
    set_config('standard_conforming_strings', 'on', false), set_config('client_min_messages', 'warning', false),
    set_config('jit', 'off', false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('application_name', ${settings.applicationName}, false),
    set_config('statement_timeout', ${String(settings.statementTimeoutMs)}, false),
    set_config('plan_cache_mode', ${settings.planCacheMode ?? 'auto'}, false),
    set_config('lock_timeout', ${String(settings.lockTimeoutMs)}, false),
    set_config('idle_in_transaction_session_timeout', ${String(settings.idleInTransactionTimeoutMs)}, false),
    current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`);
  const { rows } = await client.query<ServerFacts>(text, bindValues(values));
  const { version, encoding } = rows[0] as ServerFacts;
  const major = Math.floor(Number(version) / 10_000);
  if (major < oldestServer) {
    throw new KontorError('UNAVAILABLE', `PostgreSQL ${oldestServer} or newer is needed; the database is ${major}.`);
  }
  if (encoding !== 'UTF8') {
    throw new KontorError('UNAVAILABLE', `The database must be created with encoding UTF8; it is ${encoding}.`);
  }
}
