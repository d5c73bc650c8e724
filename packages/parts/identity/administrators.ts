import { type Queryable, type Sql, sql } from '@kontor/database';
import type { Env } from '@kontor/orm/author';
import { UserError } from '@kontor/protocol';

/** Without an active administrator nothing could be repaired, so the last one cannot be removed. */
export async function checkLastAdmin(env: Env): Promise<void> {
  await env.db.execute(sql`select pg_advisory_xact_lock(hashtext('kontor.last_admin'))`);
  const [row] = await env.db.query<{ has_users: boolean; has_admin: boolean }>(sql`
    ${withAdministrators} select exists (select 1 from core_user) as has_users, exists (select 1 from administrator) as has_admin`);
  if (row?.has_users && !row.has_admin) throw new UserError('The last active administrator cannot be removed.');
}

export async function findAdministrators(db: Queryable): Promise<readonly { id: number; lang: string }[]> {
  return db.query<{ id: number; lang: string }>(
    sql`${withAdministrators} select id, lang from administrator order by id`,
  );
}

/** Active users in the group of administrators, or in one that implies it. */
const withAdministrators: Sql = sql`
  with recursive giving as (
    select id from core_group where key = 'base.group_system'
    union
    select rel.group_id from core_group_implied_rel rel join giving on giving.id = rel.implied_id
  ), administrator as (
    select distinct u.id, u.lang from core_user u join core_group_user_rel rel on rel.user_id = u.id
    where u.active and rel.group_id in (select id from giving)
  )`;
