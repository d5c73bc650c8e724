import { type Queryable, sql } from '@kontor/database';

/** Where people reach this server, for links in mail: a `sys.config.parameter` that administrators may change. */
const parameter = 'web.base_url';
const loopback = '^https?://(localhost|127\\.|\\[::1\\])';

/**
 * Kept once it is known. An address of this machine alone gives way to a real one, and never takes its place: an
 * administrator who works on the server would break everybody's links.
 */
export async function keepBaseAddress(db: Queryable, address: string): Promise<void> {
  await db.execute(sql`
    insert into sys_config_parameter as p (name, value, create_date, write_date)
    values (${parameter}, ${address}, now(), now())
    on conflict (name) do update set value = excluded.value, write_date = now()
      where coalesce(p.value, '') = '' or (p.value ~ ${loopback} and excluded.value !~ ${loopback})`);
}

export async function readBaseAddress(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ value: string | null }>(
    sql`select value from sys_config_parameter where name = ${parameter}`,
  );
  return row?.value || null;
}
