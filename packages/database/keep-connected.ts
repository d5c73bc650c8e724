import { Client } from 'pg';
import type { ConnectionConfig } from './pool/parse-dsn.ts';
import { driverClient, hangUp } from './wire/driver-connection.ts';

export interface KeepConnectedOptions {
  readonly config: ConnectionConfig;
  /** Sent on every new connection before it counts as up. */
  readonly greeting: string;
  readonly onUp: () => void;
  /** Those that were sent on this very connection too. */
  readonly onNotification: (channel: string, isOwn: boolean) => void;
  readonly onDown: (reason: string) => void;
}

export interface KeptConnection {
  /** Null while there is none. */
  readonly client: Client | null;
  close(): Promise<void>;
}

const shortestPauseMs = 100;
const longestPauseMs = 5_000;
/** A connection can be dead without an error; a query now and then finds out. */
const probeMs = 10_000;
const answerMs = 5_000;

/** One connection outside the pool. When it is lost it is opened again, with growing pauses between the tries. */
export function keepConnected(options: KeepConnectedOptions): KeptConnection {
  const { connectTimeoutMs = 5_000, places, ...config } = options.config;
  let client: Client | null = null;
  let isClosed = false;
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;
  const probe = setInterval(() => client && ask(client), probeMs).unref();

  async function connect(): Promise<void> {
    const place = places?.now() ?? {};
    const fresh = new Client({ ...config, ...place, connectionTimeoutMillis: connectTimeoutMs, keepAlive: true });
    fresh.on('error', () => {});
    fresh.on('notification', ({ channel, processId }) =>
      options.onNotification(channel, processId === driverClient(fresh).processID),
    );
    try {
      await fresh.connect();
      await places?.check(fresh);
      await fresh.query(options.greeting);
    } catch (error) {
      void fresh.end().catch(() => {});
      places?.leave(place);
      return lose((error as Error).message);
    }
    if (isClosed) return void fresh.end();
    fresh.once('end', () => lose('the connection ended'));
    client = fresh;
    failures = 0;
    options.onUp();
  }

  function lose(reason: string): void {
    client = null;
    if (isClosed) return;
    if (failures === 0) options.onDown(reason);
    const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** failures++) * (0.5 + Math.random() / 2);
    retry = setTimeout(() => void connect(), pauseMs).unref();
  }

  void connect();

  return {
    get client() {
      return client;
    },
    async close() {
      isClosed = true;
      clearInterval(probe);
      clearTimeout(retry);
      await client?.end();
    },
  };
}

function ask(client: Client): void {
  const deadline = setTimeout(() => hangUp(client), answerMs).unref();
  client
    .query('select')
    .catch(() => {})
    .finally(() => clearTimeout(deadline));
}
