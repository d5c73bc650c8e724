import { type Queryable, sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { isMailAddress, type Mail } from '../mail/send-mail.ts';
import { textMail } from '../mail/text-mail.ts';
import { resetText } from './identity-texts.ts';
import { digest, newSecret } from './secrets.ts';
import { clearAttempts, toLoginName } from './sign-in.ts';

const tokenFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade' }),
  token_hash: fields.char({ secret: true, required: true, unique: true, size: 64 }),
  expires_at: fields.datetime({ required: true }),
};
export interface SysPasswordToken extends FieldsOf<typeof tokenFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.password.token': SysPasswordToken;
  }
}

export const sysPasswordToken = defineModel('sys.password.token', {
  label: 'Password reset',
  noCompany: 'A link belongs to one person.',
  closedToAgents: true,
  order: '-id',
  displayName: '{user_id.name}',
  quiet: true,
  fields: tokenFields,
});

/** A one-time token, valid for an hour by default; earlier ones of the same user become invalid. */
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

/** Links become invalid when the password is changed or the user is archived. */
export async function endResetTokens(db: Queryable, uids: readonly number[]): Promise<void> {
  await db.execute(sql`delete from sys_password_token where user_id = any(${[...uids]}::int4[])`);
}

/** Consumes the token and sets the password; false if the token is not (or no longer) valid. */
export async function resetPassword(env: Env, token: string, password: string): Promise<boolean> {
  const [row] = await env.db.query<{ user_id: number }>(sql`
    delete from sys_password_token t using core_user u
    where t.token_hash = ${digest(token)} and t.expires_at > now() and u.id = t.user_id and u.active
    returning t.user_id`);
  if (!row) return false;
  await env.sudo().model('core.user').write([row.user_id], { password });
  await clearAttempts(env.db, row.user_id);
  return true;
}

/** Who gets a link by mail. */
export interface Addressee {
  readonly name: string;
  readonly email: string;
  readonly lang: string;
  /** The user's company, whose text it is. */
  readonly companyId: number;
  readonly company: string;
  readonly link: string;
}

export interface ResetLink extends Omit<Addressee, 'link'> {
  readonly token: string;
}

/**
 * A token for a forgotten password; null for an unknown login, one without email, and one that asked a minute ago. In a
 * transaction, so that two concurrent requests do not both get one.
 */
export async function requestReset(db: Queryable, typed: string): Promise<ResetLink | null> {
  const login = toLoginName(typed);
  if (login === null) return null;
  const [user] = await db.query<Omit<Addressee, 'link'> & { id: number }>(sql`
    select u.id, u.name, u.email, u.lang, u.company_id as "companyId", c.name as company
    from core_user u join core_company c on c.id = u.company_id
    where u.login = ${login} and u.active and coalesce(u.email, '') <> ''
    for no key update of u`);
  // Read after the lock: the statement that waited for it would still see the earlier tokens.
  if (!user || !isMailAddress(user.email) || (await hasRecentToken(db, user.id))) return null;
  const { id, ...person } = user;
  return { ...person, token: await createResetToken(db, id) };
}

async function hasRecentToken(db: Queryable, uid: number): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 as found from sys_password_token
    where user_id = ${uid} and create_date > clock_timestamp() - interval '1 minute'`);
  return rows.length > 0;
}

/** Any env: what is read is not the caller's. */
export type Mailer = Pick<Env, 'registry'> & { sudo(): unknown };

/** The link works once, for an hour. */
export async function resetMail(env: Mailer, { email, link, lang, ...person }: Addressee): Promise<Mail> {
  const { name, companyId, company } = person;
  return textMail(env, resetText, { to: email, lang, companyId, values: { name, company }, href: link });
}
