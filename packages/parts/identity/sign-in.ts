import { type Database, sql } from '@kontor/database';
import { attemptSucceeded, beginAttempt } from './lockout.ts';
import { toLoginName } from './login-name.ts';
import { verifyPassword } from './password.ts';
import { openSession } from './sessions.ts';

export interface Credentials {
  readonly login: string;
  readonly password: string;
  readonly address: string;
  readonly userAgent: string;
}

/** Opens a session, or null: for a wrong password, an unknown login, an archived user and a locked one alike. */
export async function signIn(database: Database, given: Credentials): Promise<{ token: string; uid: number } | null> {
  const login = toLoginName(given.login);
  if (login === null) return null;
  const attempt = await beginAttempt(database, login, given.address);
  if (!attempt.isAllowed) return null;
  const [user] = await database.query<{ id: number; password: string | null; company_id: number }>(sql`
    select id, password, company_id from core_user where login = ${login} and active`);
  if (!(await verifyPassword(user?.password ?? null, given.password)) || !user) return null;
  await attemptSucceeded(database, login, given.address);
  const token = await openSession(database, {
    uid: user.id,
    companyId: user.company_id,
    address: given.address,
    userAgent: given.userAgent,
  });
  return { token, uid: user.id };
}
