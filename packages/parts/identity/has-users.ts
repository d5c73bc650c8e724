import { type Queryable, type Sql, sql } from '@kontor/database';

export async function hasUsers(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`select exists (select 1 from core_user) as found`);
  return row?.found ?? false;
}

/** Whether a user with that id is there: what is written for somebody who was deleted meanwhile would be refused. */
export function isUser(id: Sql): Sql {
  return sql`exists (select 1 from core_user u where u.id = ${id})`;
}
