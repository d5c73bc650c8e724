import { Client } from 'pg';
import type { ConnectionConfig } from './pool/parse-dsn.ts';
import { driverClient } from './wire/driver-connection.ts';

/**
 * Whether a pooler such as PgBouncer is between this process and the server: it gives clients its own process id, which
 * is not that of the server process that answers.
 */
export async function leadsToPooler(connection: ConnectionConfig): Promise<boolean> {
  const { connectTimeoutMs = 5_000, places, ...config } = connection;
  const client = new Client({ ...config, ...places?.now(), connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid !== driverClient(client).processID;
  } finally {
    await client.end();
  }
}
