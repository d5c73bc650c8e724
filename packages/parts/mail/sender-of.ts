import { type Queryable, sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { type DkimKey, isMailAddress } from './send-mail.ts';

/** The key that signs e-mails of an address; null if there is none. */
export async function dkimKeyOf(db: Queryable, address: string): Promise<DkimKey | null> {
  const [row] = await db.query<{ name: string; selector: string; private_key: string }>(sql`
    select name, selector, private_key from sys_mail_domain
    where name = ${domainOf(address)} and signs and private_key is not null`);
  return row ? { domainName: row.name, keySelector: row.selector, privateKey: row.private_key } : null;
}

/**
 * The sender of messages in the name of a user: their own address, if the administrator allows it at its domain and an administrator
 * entered it; people could name the address of somebody else otherwise. Null: that of the server.
 * ```ts
 * export const senderFor = (env: Env) => ownSender(env, env.uid);
 * ```
 */
export async function ownSender(
  env: { sudo(): unknown },
  userId: number,
): Promise<{ readonly name: string; readonly address: string } | null> {
  const server = env.sudo() as Env;
  const [user] = await server.model('core.user').searchRead(
    [
      ['id', '=', userId],
      ['active', '=', true],
    ],
    ['name', 'email', 'email_confirmed'],
  );
  const address = String(user?.email ?? '');
  if (!user?.email_confirmed || !isMailAddress(address)) return null;
  const allowed = await server.model('sys.mail.domain').count([
    ['name', '=', domainOf(address)],
    ['own_addresses', '=', true],
  ]);
  return allowed > 0 ? { name: String(user.name), address } : null;
}

function domainOf(address: string): string {
  return (/@([^\s<>@]+)>?$/.exec(address)?.[1] ?? '').toLowerCase();
}
