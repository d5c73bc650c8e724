import { refuseAfterCommit, workState } from '@kontor/kernel';
import type { Env } from '@kontor/orm/author';
import { UserError } from '@kontor/protocol';
import { verifyPassword } from './secrets.ts';
import { attemptSucceeded, beginAttemptIn, type LoginName, toLoginName } from './sign-in.ts';

/**
 * Whether the caller knows their own password. Counts as a sign-in does, so that a session left open is no way to guess. What
 * is wrong is said once the try is counted.
 */
export async function isOwnPassword(env: Env, given: string, wrong: UserError): Promise<boolean> {
  const state = workState(env.work);
  if (state?.isDryRun) throw new UserError('A change of password cannot be tried out.');
  // As the server: nobody reads a hash.
  const [user] = await env.sudo().model('core.user').read([env.uid], ['login', 'password']);
  const login = toLoginName(String(user?.login ?? ''));
  const address = state?.address ?? '';
  const attempt = login && (await beginAttemptIn(env.db, login, address));
  if (!attempt?.isAllowed) throw new UserError('Too many wrong passwords. Try again in 15 minutes.');
  if (await verifyPassword(typeof user?.password === 'string' ? user.password : null, given)) {
    await attemptSucceeded(env.db, login as LoginName, address);
    return true;
  }
  refuseAfterCommit(env, wrong);
  return false;
}
