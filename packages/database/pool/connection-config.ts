import type { ClientConfig } from 'pg';

/** Where a PostgreSQL is and who asks: what `parseDsn` and the embedded server hand over. */
export type ConnectionConfig = Readonly<
  Pick<
    ClientConfig,
    'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'options' | 'application_name' | 'enableChannelBinding'
  > & { connectTimeoutMs?: number }
>;
