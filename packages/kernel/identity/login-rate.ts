import { type Queryable, sql } from '@kontor/database';

/**
 * Takes one sign-in request from a client's minute, in one statement, so that no two processes give the same one away.
 * Returns 0, or the seconds after which to try again.
 */
export async function takeLoginToken(db: Queryable, client: string, perMinute: number): Promise<number> {
  const key = `login ${client}`.slice(0, 128);
  const rate = sql`${perMinute}::float8`;
  const left = sql`least(${rate}, b.tokens + extract(epoch from clock_timestamp() - b.at)::float8 * ${rate} / 60)`;
  const taken = await db.query(sql`
    insert into sys_rate_bucket as b (client, tokens, at, create_date, write_date)
    values (${key}, ${rate} - 1, clock_timestamp(), now(), now())
    on conflict (client) do update set tokens = ${left} - 1, at = clock_timestamp()
      where ${left} >= 1
    returning 1 as taken`);
  if (taken.length > 0) return 0;
  const [row] = await db.query<{ wait: number }>(sql`
    select ceil((1 - ${left}) * 60 / ${rate})::int4 as wait from sys_rate_bucket b where b.client = ${key}`);
  return Math.max(1, row?.wait ?? 1);
}
