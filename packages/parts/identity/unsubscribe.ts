import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { baseAddress, unsubscribeKey } from '../settings/config-parameter.ts';

/**
 * What a link ends: its first part names the kind, the others are ids and names. Nothing in it is secret.
 * ```ts
 * export const ofReader = (id: number): UnsubscribeScope => ['library', id];
 * ```
 */
export type UnsubscribeScope = readonly (string | number)[];

/** The path of such links: the module `mail` answers it. */
export const unsubscribePath = '/mail/unsubscribe/';

/**
 * The address that ends e-mails like this one, without signing in; null if the server's address is unknown.
 * ```ts
 * export const endOfNews = (env: Env, contact: number) => unsubscribeLink(env, ['library', contact]);
 * ```
 */
export async function unsubscribeLink(env: Pick<Env, 'db' | 'work'>, scope: UnsubscribeScope): Promise<string | null> {
  const address = await baseAddress(env);
  if (address === null) return null;
  const content = Buffer.from(JSON.stringify(scope)).toString('base64url');
  return `${address}${unsubscribePath}${content}.${await macOf(env.db, content)}`;
}

/**
 * What the last part of such an address ends; null if it was made up.
 * ```ts
 * export const isOurs = async (env: Env, token: string) => (await unsubscribeScope(env, token)) !== null;
 * ```
 */
export async function unsubscribeScope({ db }: Pick<Env, 'db'>, token: string): Promise<UnsubscribeScope | null> {
  const [, content = '', mac = ''] = /^([\w-]{1,800})\.([\w-]{22})$/.exec(token) ?? [];
  if (content === '') return null;
  const expected = Buffer.from(await macOf(db, content));
  if (!timingSafeEqual(Buffer.from(mac), expected)) return null;
  return JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as UnsubscribeScope;
}

/** 128 bits. */
async function macOf(db: Queryable, content: string): Promise<string> {
  return createHmac('sha256', await unsubscribeKey(db))
    .update(content)
    .digest('base64url')
    .slice(0, 22);
}
