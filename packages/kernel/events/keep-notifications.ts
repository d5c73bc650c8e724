import { type Queryable, sql } from '@kontor/database';
import type { Notification } from '@kontor/protocol';

/** Writes down what people are told, so that it is still there after a reload and for those who were away. */
export async function keepNotifications(
  db: Queryable,
  people: readonly number[],
  { kind, title, body, href }: Notification,
): Promise<void> {
  await db.execute(sql`
    insert into sys_notification (user_id, kind, title, body, href, create_date, write_date)
    select person, ${kind}, ${title.slice(0, 500)}, ${body}, ${href ?? null}, now(), now()
    from unnest(${[...people]}::int4[]) as person`);
}
