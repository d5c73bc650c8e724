import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Env, serverLink } from '@kontor/addon';

/** 128 bits: nobody guesses one. */
const macLength = 32;
export const tokenFormat = '^[0-9a-z]{1,7}-[0-9a-f]{32}$';

/** The address by which the owner of an address opts out; null if the server does not know its own. */
export async function optOutAddress(env: Env, addressId: number): Promise<string | null> {
  // As the server: the secret cannot be read.
  const [address] = await env.sudo().model('mailing.address').read([addressId], ['secret']);
  return address ? serverLink(env, `/mailing/out/${addressId.toString(36)}-${macOf(address.secret, addressId)}`) : null;
}

/** The address that a token is for; null for one that was made up. */
export async function addressOf(
  env: Env,
  token: string,
): Promise<{ readonly id: number; readonly email: string; readonly isOut: boolean } | null> {
  const [, id36 = '', mac = ''] = /^([0-9a-z]{1,7})-([0-9a-f]{32})$/.exec(token) ?? [];
  const id = Number.parseInt(id36, 36);
  if (mac === '' || !(id > 0) || id > 2_147_483_647) return null;
  // As the server: who opts out is not signed in; the token opens this address alone.
  const [address] = await env
    .sudo()
    .model('mailing.address')
    .searchRead([['id', '=', id]], ['email', 'secret', 'opted_out_at']);
  if (!address || !timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(address.secret, id)))) return null;
  return { id, email: address.email, isOut: address.opted_out_at !== null };
}

function macOf(secret: string, id: number): string {
  return createHmac('sha256', secret).update(`opt out,${id}`).digest('hex').slice(0, macLength);
}
