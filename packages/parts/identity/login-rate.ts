import { type Queryable, sql } from '@kontor/database';
import { defineModel, type FieldsOf, fields, now } from '@kontor/orm/author';

const bucketFields = {
  client: fields.char({ required: true, unique: true, size: 128 }),
  tokens: fields.float({ required: true, help: 'Requests remaining for the client.' }),
  at: fields.datetime({ required: true, default: now, index: true }),
};
export interface SysRateBucket extends FieldsOf<typeof bucketFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.rate.bucket': SysRateBucket;
  }
}

/** What a client has left of its requests a minute at the login, for every process alike. */
export const sysRateBucket = defineModel('sys.rate.bucket', {
  label: 'Request allowance',
  order: '-id',
  displayName: '{client}',
  quiet: true,
  fields: bucketFields,
});

/**
 * Counts one sign-in request of a client in this minute, in one statement, so that two processes do not count the same one.
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
