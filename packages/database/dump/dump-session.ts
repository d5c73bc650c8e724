import { Client } from 'pg';
import { unavailable } from '../errors/unavailable.ts';
import type { ConnectionConfig } from '../pool/parse-dsn.ts';
import { atRightPlace } from '../pool/places.ts';

/** Opens one connection without time limits, with portable text formats, until the work is done. */
export async function withDumpSession<T>(
  connection: ConnectionConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await openDumpSession(connection);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

export async function openDumpSession(connection: ConnectionConfig): Promise<Client> {
  return atRightPlace(connection.places, (place) => openAt({ ...connection, ...place }));
}

async function openAt({ connectTimeoutMs = 10_000, places, ...config }: ConnectionConfig): Promise<Client> {
  const client = new Client({
    ...config,
    application_name: 'kontor backup',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  });
  // Errors are reported to the caller that waits for an answer.
  client.on('error', () => {});
  try {
    await client.connect();
    await places?.check(client);
    await client.query(`set search_path = public; set statement_timeout = 0; set lock_timeout = 0;
      set idle_in_transaction_session_timeout = 0; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
      set timezone = 'UTC'; set extra_float_digits = 1; set bytea_output = 'hex'; set standard_conforming_strings = on;
      set client_encoding = 'UTF8'; set check_function_bodies = off; set client_min_messages = warning`);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw unavailable(error) ?? error;
  }
}
