import { type Env, open } from '@kontor/orm';
import { readBaseAddress } from '../settings/base-address.ts';

/**
 * Where the client shows a record, under this server.
 * ```ts
 * const path = recordPath('core.partner', 7);
 * ```
 */
export function recordPath(model: string, id: number): string {
  return open(model, { id }).redirect;
}

/**
 * The same as a whole address, for mail; null while nobody knows where the server is.
 * ```ts
 * export async function linkTo(env: Env, partnerId: number) {
 *   return recordLink(env, 'core.partner', partnerId);
 * }
 * ```
 */
export async function recordLink(env: Pick<Env, 'db'>, model: string, id: number): Promise<string | null> {
  const address = await readBaseAddress(env.db);
  return address && `${address}${recordPath(model, id)}`;
}
