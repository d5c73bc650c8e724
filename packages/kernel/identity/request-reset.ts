import { type Queryable, sql } from '@kontor/database';
import { toLoginName } from './login-name.ts';
import { createResetToken } from './password-reset.ts';

export interface ResetLink {
  readonly email: string;
  readonly token: string;
  /** The language of the person. */
  readonly lang: string;
}

/**
 * A token for a person who forgot; null for an unknown login, one without e-mail, and one that asked a minute ago. In a
 * transaction, so that two at once do not both get one.
 */
export async function requestReset(db: Queryable, typed: string): Promise<ResetLink | null> {
  const login = toLoginName(typed);
  if (login === null) return null;
  const [user] = await db.query<{ id: number; email: string; lang: string }>(sql`
    select id, email, lang from core_user where login = ${login} and active and coalesce(email, '') <> ''
    for no key update`);
  // Asked after the lock: the statement that waited for it still sees the tokens of before.
  if (!user || (await hasRecentToken(db, user.id))) return null;
  return { email: user.email, lang: user.lang, token: await createResetToken(db, user.id) };
}

async function hasRecentToken(db: Queryable, uid: number): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 as found from sys_password_token
    where user_id = ${uid} and create_date > clock_timestamp() - interval '1 minute'`);
  return rows.length > 0;
}
