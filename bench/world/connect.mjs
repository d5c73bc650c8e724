import pg from 'pg';

/** One connection beside the server's, for data, for analysis and for a look at plans. */
export async function connect(dsn) {
  const client = new pg.Client({ connectionString: dsn });
  await client.connect();
  return client;
}
