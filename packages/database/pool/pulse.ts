import { KontorError, text } from '@kontor/protocol';
import { Client } from 'pg';
import { unavailable } from '../errors/unavailable.ts';
import { serviceConnection } from '../keep-connected.ts';
import { hangUp } from '../wire/driver-connection.ts';
import type { ConnectionConfig } from './parse-dsn.ts';
import { atRightPlace, type Place } from './places.ts';

export interface Pulse {
  /** Settles when the database answers; UNAVAILABLE if it cannot be reached or does not answer in time. */
  ask(): Promise<void>;
  /** Cancels the statements of these server processes that have been waiting for a lock for longer than that. */
  cancelLockWaits(processes: readonly number[], longerMs: number): Promise<void>;
  /** Closes the connection. */
  close(): void;
}

const silent = text('The database does not answer. Try again in a moment.');

/** The database is there, but does not answer: frozen, or behind a network that drops everything. */
export function isSilence(error: unknown): error is KontorError {
  return error instanceof KontorError && error.words === silent;
}

/**
 * Asks the database whether it answers, outside the pool, which may be busy or wait for something: on the service connection of the
 * process, and on one of its own where there is none or it is busy.
 */
// Over 60 lines: the functions share one connection and the question under way.
export function createPulse(connection: ConnectionConfig, answerMs: number): Pulse {
  const { connectTimeoutMs: _, places, ...config } = connection;
  let client: Client | null = null;
  let at: Place = {};
  let asking: Promise<void> | null = null;

  async function connectAt(place: Place): Promise<Client> {
    const fresh = new Client({ ...config, ...place, application_name: 'kontor pulse', keepAlive: true });
    const forget = (): void => {
      if (client === fresh) client = null;
    };
    fresh.on('error', forget);
    fresh.on('end', forget);
    client = fresh;
    at = place;
    try {
      await fresh.connect();
      await places?.check(fresh);
    } catch (error) {
      forget();
      hangUp(fresh);
      throw error;
    }
    return fresh;
  }

  async function askOnce(): Promise<void> {
    const service = serviceConnection(connection);
    if (service && (await answersWithin(answerMs / 2, service.query('select')))) return close();
    // An older connection may have died unnoticed.
    const isAlive = await client?.query('select').then(
      () => true,
      () => false,
    );
    if (!isAlive) await (await atRightPlace(places, connectAt)).query('select');
  }

  function close(): void {
    const old = client;
    client = null;
    if (old) hangUp(old);
  }

  async function askInTime(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      // One more turn of the event loop: an answer may be in the socket if this process was busy itself.
      timer = setTimeout(() => setImmediate(() => reject(new KontorError('UNAVAILABLE', silent))), answerMs);
    });
    const answer = askOnce();
    answer.catch(() => {});
    try {
      await Promise.race([answer, late]);
    } catch (error) {
      if (isSilence(error)) serviceConnection(connection)?.hangUp();
      close();
      places?.leave(at);
      throw unavailable(error) ?? error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    ask() {
      asking ??= askInTime().finally(() => {
        asking = null;
      });
      return asking;
    },
    async cancelLockWaits(processes, longerMs) {
      const text = `select pg_cancel_backend(pid) from pg_stat_activity
        where pid = any($1) and state = 'active' and wait_event_type = 'Lock'
          and clock_timestamp() - query_start > make_interval(secs => $2)`;
      const statement = { text, values: [[...processes], longerMs / 1_000] };
      await (client ? client.query(statement) : serviceConnection(connection)?.query(statement));
    },
    close,
  };
}

async function answersWithin(ms: number, answer: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, false), ms);
  });
  const inTime = answer.then(
    () => true,
    () => false,
  );
  return Promise.race([inTime, late]).finally(() => clearTimeout(timer));
}
