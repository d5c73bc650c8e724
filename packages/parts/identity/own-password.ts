import { refuseAfterCommit, workState } from '@kontor/kernel';
import type { Env } from '@kontor/orm/author';
import { UserError } from '@kontor/protocol';
import { verifyPassword } from './secrets.ts';
import { attemptSucceeded, beginAttemptIn, type LoginName, toLoginName } from './sign-in.ts';

/**
 * Checks the caller's own password. It counts like a sign-in, so that an open session is no way to guess it. The error is thrown
 * after the attempt is counted.
 */
export async function isOwnPassword(env: Env, given: string, wrong: UserError): Promise<boolean> {
  const state = workState(env.work);
  if (state?.isDryRun) throw new UserError('A password change has no dry run.');
  // As the server: hashes cannot be read.
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
