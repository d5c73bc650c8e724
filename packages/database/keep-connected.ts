import { KontorError, queue, text } from '@kontor/protocol';
import { Client, type QueryConfig } from 'pg';
import type { ConnectionConfig } from './pool/parse-dsn.ts';
import { driverClient, hangUp } from './wire/driver-connection.ts';

export interface KeepConnectedOptions {
  readonly config: ConnectionConfig;
  /** Sent on every new connection before it counts as connected. */
  readonly greeting?: string;
  readonly onUp: () => void;
  /** Including those that were sent on this very connection. */
  readonly onNotification?: (channel: string, isOwn: boolean) => void;
  readonly onDown: (reason: string) => void;
}

type Ask = <Row extends object>(statement: string | QueryConfig) => Promise<Row[]>;

export interface KeptConnection {
  readonly isUp: boolean;
  /** Runs after the statements before it; fails with UNAVAILABLE when the connection is lost by then. */
  readonly query: Ask;
  close(): Promise<void>;
}

/** By the configuration that its users were given. */
const services = new WeakMap<ConnectionConfig, Service>();

/**
 * Uses the service connection, the one that a process has outside its pool: for notifications, session locks and events. All who give the
 * same configuration share it, and the last one that closes ends it. When it is lost it is opened again, with growing pauses between
 * the tries.
 */
export function keepConnected(options: KeepConnectedOptions): KeptConnection {
  const { config } = options;
  const service = services.get(config) ?? openService(config, () => services.delete(config));
  services.set(config, service);
  return service.join(options);
}

/** The service connection that others keep; null where nobody does, and while it is lost. */
export function serviceConnection(config: ConnectionConfig): ServiceConnection | null {
  const service = services.get(config);
  return service?.isUp ? service : null;
}

export interface ServiceConnection {
  readonly query: Ask;
  /** The server does not answer: the connection is opened again, perhaps at another server. */
  hangUp(): void;
}

interface Service extends ServiceConnection {
  readonly isUp: boolean;
  join(options: KeepConnectedOptions): KeptConnection;
}

const shortestPauseMs = 100;
const longestPauseMs = 5_000;
/** A connection can be dead without an error; a periodic query detects that. */
const probeMs = 10_000;
/** A server that has not ended a statement by then does not answer. */
const answerMs = 5_000;
/**
 * All users wait for each other's statements, so none may take long: events are read again when a table is locked, and a notification
 * waits neither for the disk nor for a standby.
 */
const settings = `select set_config('lock_timeout', '1s', false), set_config('statement_timeout', '4s', false),
  set_config('synchronous_commit', 'off', false)`;

const lost = text('The connection to the database was lost. Try again in a moment.');

// Over 60 lines: the functions share one connection and its users.
function openService(given: ConnectionConfig, forget: () => void): Service {
  const { connectTimeoutMs = 5_000, places, ...config } = given;
  const users = new Set<KeepConnectedOptions>();
  /** Those that were greeted on the connection that is up. */
  const greeted = new Set<KeepConnectedOptions>();
  const turns = queue();
  let client: Client | null = null;
  let isClosed = false;
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;
  const probe = setInterval(() => void query('select').catch(() => {}), probeMs).unref();

  async function connect(): Promise<void> {
    const place = places?.now() ?? {};
    const fresh = new Client({
      ...{ ...config, ...place, application_name: 'kontor service' },
      ...{ connectionTimeoutMillis: connectTimeoutMs, keepAlive: true },
    });
    fresh.on('error', () => {});
    fresh.on('notification', ({ channel, processId }) => {
      const isOwn = processId === driverClient(fresh).processID;
      for (const user of greeted) user.onNotification?.(channel, isOwn);
    });
    const deadline = hangUpAfter(connectTimeoutMs + answerMs, fresh);
    try {
      await fresh.connect();
      await places?.check(fresh);
      await fresh.query(settings);
    } catch (error) {
      void fresh.end().catch(() => {});
      places?.leave(place);
      return lose((error as Error).message);
    } finally {
      deadline.clear();
    }
    if (isClosed) return void fresh.end();
    fresh.once('end', () => lose('the connection ended'));
    client = fresh;
    failures = 0;
    for (const user of users) void greet(user, fresh);
  }

  /** In turn: the driver gives up its own queue of statements. */
  function query<Row extends object>(statement: string | QueryConfig): Promise<Row[]> {
    const asked = client;
    return turns.run(async () => {
      if (!asked || client !== asked) throw new KontorError('UNAVAILABLE', lost);
      const deadline = hangUpAfter(answerMs, asked);
      try {
        return (await asked.query<Row>(statement as QueryConfig)).rows;
      } finally {
        deadline.clear();
      }
    });
  }

  async function greet(user: KeepConnectedOptions, on: Client): Promise<void> {
    try {
      // Never at once: who joins does not have its connection yet.
      await (user.greeting === undefined ? null : query(user.greeting));
    } catch {
      if (client === on) hangUp(on);
      return;
    }
    if (client !== on || !users.has(user) || greeted.has(user)) return;
    greeted.add(user);
    user.onUp();
  }

  function lose(reason: string): void {
    client = null;
    greeted.clear();
    if (isClosed) return;
    if (failures === 0) for (const user of users) user.onDown(reason);
    const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** failures++) * (0.5 + Math.random() / 2);
    retry = setTimeout(() => void connect(), pauseMs).unref();
  }

  async function leave(user: KeepConnectedOptions): Promise<void> {
    greeted.delete(user);
    if (!users.delete(user) || users.size > 0) return;
    isClosed = true;
    forget();
    clearInterval(probe);
    clearTimeout(retry);
    await client?.end();
  }

  void connect();
  return {
    get isUp() {
      return client !== null;
    },
    query,
    hangUp: () => client && hangUp(client),
    join(user) {
      users.add(user);
      if (client) void greet(user, client);
      return {
        get isUp() {
          return greeted.has(user);
        },
        query: async (statement) => {
          if (!greeted.has(user)) throw new KontorError('UNAVAILABLE', lost);
          return query(statement);
        },
        close: () => leave(user),
      };
    },
  };
}

function hangUpAfter(ms: number, client: Client): { clear(): void } {
  let isWaiting = true;
  // Once more around the event loop: an answer may lie in the socket while this process was busy itself.
  const timer = setTimeout(() => setImmediate(() => isWaiting && hangUp(client)), ms).unref();
  return {
    clear() {
      isWaiting = false;
      clearTimeout(timer);
    },
  };
}
