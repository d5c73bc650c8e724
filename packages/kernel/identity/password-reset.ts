import { type Queryable, sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { digest, newSecret } from './token.ts';

/** A one-time token, for an hour unless said otherwise; earlier ones of the same user end. */
export async function createResetToken(db: Queryable, uid: number, hours = 1): Promise<string> {
  const token = newSecret();
  await db.execute(sql`delete from sys_password_token where user_id = ${uid}`);
  await db.execute(sql`
    insert into sys_password_token (user_id, token_hash, expires_at, create_date, write_date)
    values (${uid}, ${digest(token)}, now() + make_interval(hours => ${hours}::int4), now(), now())`);
  return token;
}

export async function isResetToken(db: Queryable, token: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 as found from sys_password_token t join core_user u on u.id = t.user_id
    where t.token_hash = ${digest(token)} and t.expires_at > now() and u.active`);
  return rows.length > 0;
}

/** Uses the token up and sets the password; false when the token is not (or no longer) good. */
export async function resetPassword(env: Env, token: string, password: string): Promise<boolean> {
  const [row] = await env.db.query<{ user_id: number }>(sql`
    delete from sys_password_token t using core_user u
    where t.token_hash = ${digest(token)} and t.expires_at > now() and u.id = t.user_id and u.active
    returning t.user_id`);
  if (!row) return false;
  await env.sudo().model('core.user').write([row.user_id], { password });
  await env.db.execute(sql`delete from sys_password_token where user_id = ${row.user_id}`);
  // Who has the link is who they say: failures of others with the old password lock them out no longer.
  await env.db.execute(sql`
    delete from sys_login_attempt where login = (select login from core_user where id = ${row.user_id})`);
  return true;
}
