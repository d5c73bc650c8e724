import { type Queryable, sql } from '@kontor/database';
import { toLoginName } from './login-name.ts';
import { createResetToken } from './password-reset.ts';

export interface ResetLink {
  readonly email: string;
  readonly token: string;
}

/**
 * A token for a person who forgot; null for an unknown login, one without e-mail, and one that asked a minute ago. In a
 * transaction, so that two at once do not both get one.
 */
export async function requestReset(db: Queryable, typed: string): Promise<ResetLink | null> {
  const login = toLoginName(typed);
  if (login === null) return null;
  const [user] = await db.query<{ id: number; email: string }>(sql`
    select id, email from core_user where login = ${login} and active and coalesce(email, '') <> ''
      and not exists (select 1 from sys_password_token t
        where t.user_id = core_user.id and t.create_date > now() - interval '1 minute')
    for update`);
  return user ? { email: user.email, token: await createResetToken(db, user.id) } : null;
}
