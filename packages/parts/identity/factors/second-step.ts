import { type Database, type Queryable, sql } from '@kontor/database';
import type { Config } from '@kontor/kernel';
import { attemptSucceeded, beginAttempt, type LoginName, type Person } from '../sign-in.ts';
import { useRecoveryCode } from './recovery-codes.ts';
import { useTotp } from './totp.ts';

export type CodeMethod = 'totp' | 'recovery';

/**
 * Checks a code of an authenticator or a recovery code. It counts like a sign-in attempt; null: wrong, or too many
 * attempts.
 */
export async function checkCode(
  database: Database,
  config: Config,
  { uid, login }: Pick<Person, 'uid' | 'login'>,
  { code, address }: { readonly code: string; readonly address: string },
): Promise<CodeMethod | null> {
  const attempt = await beginAttempt(database, login, address);
  if (!attempt.isAllowed) return null;
  const method = await useCode(database, config, uid, code);
  if (method) await attemptSucceeded(database, login, address);
  return method;
}

async function useCode(db: Queryable, config: Config, uid: number, given: string): Promise<CodeMethod | null> {
  const code = given.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(code)) return (await useTotp(db, config, uid, code)) ? 'totp' : null;
  return (await useRecoveryCode(db, uid, code)) ? 'recovery' : null;
}

/** The user of a pending sign-in, while they may sign in. */
export async function findPerson(db: Queryable, uid: number): Promise<Person | null> {
  const [row] = await db.query<{ login: LoginName; company_id: number }>(sql`
    select login, company_id from core_user where id = ${uid} and active`);
  return row ? { uid, login: row.login, companyId: row.company_id } : null;
}
