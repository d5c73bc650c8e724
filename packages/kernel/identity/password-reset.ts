import { type Queryable, sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { digest, newSecret } from './token.ts';

/** A one-time token for an hour; earlier ones of the same user end. */
export async function createResetToken(db: Queryable, uid: number): Promise<string> {
  const token = newSecret();
  await db.execute(sql`delete from sys_password_token where user_id = ${uid}`);
  await db.execute(sql`
    insert into sys_password_token (user_id, token_hash, expires_at, create_date, write_date)
    values (${uid}, ${digest(token)}, now() + interval '1 hour', now(), now())`);
  return token;
}

export async function isResetToken(db: Queryable, token: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 as found from sys_password_token where token_hash = ${digest(token)} and expires_at > now()`);
  return rows.length > 0;
}

/** Uses the token up and sets the password; false when the token is not (or no longer) good. */
export async function resetPassword(env: Env, token: string, password: string): Promise<boolean> {
  const [row] = await env.db.query<{ user_id: number }>(sql`
    delete from sys_password_token where token_hash = ${digest(token)} and expires_at > now() returning user_id`);
  if (!row) return false;
  await env.sudo().model('core.user').write([row.user_id], { password });
  await env.db.execute(sql`delete from sys_password_token where user_id = ${row.user_id}`);
  return true;
}
