import { createHash } from 'node:crypto';
import { KontorError, lruCache } from '@kontor/protocol';
import { type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg';
import { unavailable } from '../errors/unavailable.ts';
import { compile, sql } from '../sql/sql.ts';
import type { Column } from '../wire/cells.ts';
import { driverClient, driverConnection, hangUp } from '../wire/driver-connection.ts';
import { TappedClient } from '../wire/row-tap.ts';
import { bindValues } from './bind-values.ts';
import { createLanes, type Lane } from './lanes.ts';
import type { ConnectionConfig } from './parse-dsn.ts';
import { atRightPlace, type Places } from './places.ts';
import { createReadTimes, fewShared, maxShortMs } from './read-times.ts';

/** A connection taken from the pool until it is given back. */
export interface Lease {
  readonly client: PoolClient;
  readonly statements: StatementCache;
  /** How long the server may work on one statement by its own limit; 0: for ever. */
  statementTimeoutMs: number;
  /** The server gave up waiting for its synchronous standby, and committed all the same. */
  isUncopied: boolean;
  /** Others' short reads may be under way on the connection; its statement is sent behind them. */
  readonly isShared: boolean;
  /** With true the connection is closed instead of being used again. */
  release(isBroken?: boolean): void;
}

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
  take(lane: Lane): Promise<Lease>;
  /** The same for one statement that reads, outside any transaction: short ones share connections. */
  takeForRead(text: string): Promise<Lease>;
  /** How long a statement took that had such a lease. */
  noteTime(text: string, ms: number): void;
  /** Hangs up on everything and refuses whoever asks, until the database is heard again (null). */
  suspend(reason: Error | null): void;
  /** Hangs up on connections whose server should have ended their statement by itself, and did not. */
  hangUpOverdue(): void;
  /** How long the first that wants to change something has been waiting for a connection. */
  changeWaitMs(): number;
  /** The server's processes that work on changes. */
  changeProcesses(): readonly number[];
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
  const clients = new Set<ClientBase>();
  const taken = new Map<PoolClient, Taken>();
  let isClosing = false;
  let suspension: Error | null = null;
  const { connectTimeoutMs = options.connectTimeoutMs, places, ...connection } = options.connection;
  const lanes = createLanes(options.maxConnections, connectTimeoutMs);
  const times = createReadTimes();
  const pool = new Pool({
    ...connection,
    Client: places ? clientAt(places) : TappedClient,
    max: options.maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    maxLifetimeSeconds,
    onConnect: async (client) => {
      // Without a listener, a connection that dies while it is taken and silent would end the process.
      client.on('error', () => {});
      client.on('notice', ({ routine }) => {
        const one = taken.get(client as PoolClient);
        if (one && routine === uncopiedRoutine) one.lease.isUncopied = true;
      });
      const ended = new Promise<void>((resolve) => client.once('end', resolve)).then(() => void open.delete(ended));
      open.add(ended);
      clients.add(client);
      void ended.then(() => clients.delete(client));
      await places?.check(client);
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

  function leaseOn(client: PoolClient, expectedMs: number | null): Lease {
    const statements = cacheOf(client);
    const { statementTimeoutMs } = session;
    const release = (isBroken = false): void => {
      const one = taken.get(client) as Taken;
      one.isBroken ||= isBroken;
      one.expectedMs -= expectedMs ?? 0;
      if (--one.users > 0) return;
      taken.delete(client);
      client.release(one.isBroken || statements.isHeavy);
      one.leave();
    };
    return { client, statements, statementTimeoutMs, isUncopied: false, isShared: expectedMs !== null, release };
  }

  async function take(lane: Lane, expectedMs: number | null = null): Promise<Lease> {
    if (suspension) throw suspension;
    const leave = await lanes.enter(lane).catch((error: unknown) => {
      throw unavailable(error) ?? error;
    });
    try {
      const client = await atRightPlace(places, () => pool.connect());
      const lease = leaseOn(client, expectedMs);
      const use = { users: 1, expectedMs: expectedMs ?? 0, isBroken: false };
      taken.set(client, { lease, lane, leave, since: performance.now(), written: 0, ...use });
      return lease;
    } catch (error) {
      leave();
      throw unavailable(error) ?? error;
    }
  }

  /** Behind those on the connection that will be free first. As long as few have short reads, another is taken for them. */
  function join(text: string, expectedMs: number): Lease | null {
    const shared = [...taken.values()].filter(({ lease, isBroken }) => lease.isShared && !isBroken);
    if (suspension || lanes.waiting > 0 || (shared.length < fewShared && lanes.hasRoom('read'))) return null;
    const waitOf = (one: Taken | null): number => one?.expectedMs ?? maxShortMs - expectedMs;
    let best: Taken | null = null;
    for (const one of shared) if (waitOf(one) < waitOf(best) && one.lease.statements.knows(text)) best = one;
    if (!best) return null;
    best.users++;
    best.expectedMs += expectedMs;
    return leaseOn(best.lease.client, expectedMs);
  }

  return {
    take: (lane) => take(lane),
    async takeForRead(text) {
      const expectedMs = times.expectedMs(text);
      return (expectedMs === null ? null : join(text, expectedMs)) ?? take('read', expectedMs);
    },
    noteTime: times.note,
    suspend(reason) {
      suspension = reason;
      if (!reason) return;
      lanes.refuseAll(reason);
      for (const client of clients) hangUp(client);
    },
    hangUpOverdue() {
      for (const [client, one] of taken) {
        if (!isOverdue(client, one)) continue;
        onWarning('A connection whose statement did not end in time has been closed.', null);
        hangUp(client);
      }
    },
    changeWaitMs: () => lanes.waitMs('change'),
    changeProcesses: () =>
      [...taken].flatMap(([client, { lane }]) => (lane === 'change' ? (driverClient(client).processID ?? []) : [])),
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount + lanes.waiting }),
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

/** The pool makes its connections by itself, each where the right server is known to be by then. */
function clientAt(places: Places): typeof TappedClient {
  return class extends TappedClient {
    constructor(config?: ClientConfig) {
      super({ ...config, ...places.now() });
    }
  };
}

/** The server's own name for where it waits for a standby: the words of its warning are in its language. */
const uncopiedRoutine = 'SyncRepWaitForLSN';

interface Taken {
  readonly lease: Lease;
  readonly lane: Lane;
  readonly leave: () => void;
  /** Whose statements are under way: one, or several with short reads. */
  users: number;
  /** How long the server will have what is under way, by what it took before. */
  expectedMs: number;
  isBroken: boolean;
  /** When its last statement was seen first; each one writes something. */
  since: number;
  written: number;
}

/** The server ends a statement by its own limit; this much later it is not to be expected any more. */
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
}

const oldestServer = 15;

interface ServerFacts {
  readonly version: string;
  readonly encoding: string;
}

/** One round trip on every new connection; SET rather than startup options, which connection poolers refuse. */
async function openSession(client: ClientBase, settings: SessionSettings): Promise<void> {
  const { text, values } = compile(sql`select
    set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false),
    set_config('IntervalStyle', 'iso_8601', false), set_config('bytea_output', 'hex', false),
    set_config('standard_conforming_strings', 'on', false), set_config('client_min_messages', 'warning', false),
    set_config('jit', 'off', false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('application_name', ${settings.applicationName}, false),
    set_config('statement_timeout', ${String(settings.statementTimeoutMs)}, false),
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

/** Named statements of one connection. Used only while nothing is in flight on it. */
interface StatementCache {
  /** The connection planned something large; its memory is given back only when it is closed. */
  readonly isHeavy: boolean;
  /** The name to send the text under, or undefined to send it unnamed. */
  nameOf(text: string): string | undefined;
  /** The server has planned and described it on this connection. */
  knows(text: string): boolean;
  /** What a named statement gives, once the server has said it. */
  columnsOf(name: string): readonly Column[] | undefined;
  keepColumns(name: string, columns: readonly Column[]): void;
  /** Drops a statement here and on the server; harmless when the server does not have it. */
  forget(name: string): void;
  clear(): void;
}

/** Shared by the connections of one pool: a schema change makes every plan of every connection suspect at once. */
interface PlanGeneration {
  current: number;
}

const preparable = /^\s*(?:select|insert|update|delete|with|values|merge)\b/i;
/** A statement of this length takes the server tens of megabytes to plan, which its process then keeps. */
const heavyLength = 30_000;
/** Also what grows slowly, such as what a process remembers of tables, ends with its connection. */
const maxLifetimeSeconds = 3_600;
const maxKnownTexts = 5_000;

/** Names by statement text; null until a text is met again, so that one-off shapes do not push out useful ones. */
const names = lruCache<string, string | null>(maxKnownTexts);

function knownName(text: string): string | undefined {
  const name = names.get(text);
  if (name) return name;
  if (name === undefined) {
    if (text.length > heavyLength || text.includes(';') || !preparable.test(text)) return undefined;
    names.set(text, null);
    return undefined;
  }
  const made = `k_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
  names.set(text, made);
  return made;
}

function createStatementCache(client: ClientBase, generation: PlanGeneration, max: number): StatementCache {
  const connection = driverConnection(client);
  const used = lruCache<string, string>(max, close);
  const columns = new Map<string, readonly Column[]>();
  let seen = generation.current;
  let isHeavy = false;

  function close(name: string): void {
    // The protocol's own DEALLOCATE: it travels with the next statement and works in a failed transaction too.
    connection.close({ type: 'S', name });
    columns.delete(name);
    delete connection.parsedStatements[name];
    delete connection.submittedNamedStatements[name];
  }

  function clear(): void {
    for (const name of used.values()) close(name);
    used.clear();
  }

  return {
    get isHeavy() {
      return isHeavy;
    },
    clear,
    forget: close,
    knows(text) {
      const name = seen === generation.current ? used.get(text) : undefined;
      return name !== undefined && columns.has(name) && connection.parsedStatements[name] !== undefined;
    },
    columnsOf: (name) => columns.get(name),
    keepColumns: (name, found) => void columns.set(name, found),
    nameOf(text) {
      if (text.length > heavyLength) isHeavy = true;
      if (seen !== generation.current) {
        seen = generation.current;
        clear();
      }
      const name = max === 0 ? undefined : knownName(text);
      if (name === undefined) return undefined;
      if (used.get(text) === undefined) used.set(text, name);
      return name;
    },
  };
}
