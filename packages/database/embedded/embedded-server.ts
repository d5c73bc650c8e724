import type { ConnectionConfig } from '../pool/parse-dsn.ts';

export interface EmbeddedLog {
  info(message: string): void;
  warn(message: string): void;
}

export interface EmbeddedOptions {
  /** Kontor's data directory; the cluster is in `postgres/` below it, or where the log says. */
  readonly dataDir: string;
  readonly log: EmbeddedLog;
  /** Server settings that override the defaults, such as `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Crash {
  /** A message for the operator. */
  readonly reason: string;
}

export interface EmbeddedServer {
  /** For the application: owner of the database `kontor`, no superuser. */
  readonly connection: ConnectionConfig;
  /** For maintenance and tests: the superuser, on the database `postgres`. */
  readonly admin: ConnectionConfig;
  /** The directory with the cluster, its log and the lock. */
  readonly home: string;
  /** Process id of the database server, null while it is down. */
  readonly pid: number | null;
  /** The server ended unexpectedly. Returns a function that stops listening. */
  onCrash(listener: (crash: Crash) => void): () => void;
  /** The server is back after a crash. */
  onRestart(listener: () => void): () => void;
  /**
   * Ends every session, flushes everything and waits until the server has exited. After the given time it stops immediately
   * instead, and recovers from its log at the next start.
   */
  stop(patienceMs?: number): Promise<void>;
}
