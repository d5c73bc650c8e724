import { type Queryable, sql } from '@kontor/database';

export async function hasUsers(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`select exists (select 1 from core_user) as found`);
  return row?.found ?? false;
}
