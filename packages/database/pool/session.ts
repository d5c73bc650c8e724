import { KontorError } from '@kontor/protocol';
import type { ClientBase } from 'pg';
import { compile, sql } from '../sql/sql.ts';
import { bindValues } from './bind-values.ts';

export interface SessionSettings {
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
export async function openSession(client: ClientBase, settings: SessionSettings): Promise<void> {
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
