import type { Env } from '@kontor/orm/author';
import { UserError } from '@kontor/protocol';
import { invitationMail } from '../mail/invitation-mail.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { slotsOf } from '../runtime/work-slots.ts';
import { wordsIn } from '../translations/words-for.ts';
import { readBaseAddress } from './base-address.ts';
import { createResetToken } from './password-reset.ts';

const days = 7;

/** Mails active users with an address a link to choose their password; those without one are left out. */
export async function inviteUsers(env: Env, ids: readonly number[]): Promise<number> {
  const address = slotsOf(env.work)?.canMail ? await readBaseAddress(env.db) : null;
  if (!address) return 0;
  const users = await env
    .sudo()
    .model('core.user')
    .read(ids, ['name', 'login', 'email', 'active', 'lang', 'company_id.name']);
  let count = 0;
  for (const user of users) {
    if (!user.email || !user.active) continue;
    const token = await createResetToken(env.db, user.id, days * 24);
    const link = `${address}/web/reset-password?token=${token}`;
    const company = String(user['company_id.name'] ?? 'Kontor');
    const words = wordsIn(env, user.lang);
    await queueMail(
      env,
      invitationMail({ to: user.email, name: user.name, login: user.login, company, link, days, words }),
    );
    count++;
  }
  return count;
}

/** For the button: says why nothing was sent. */
export async function inviteOrExplain(env: Env, ids: readonly number[]): Promise<void> {
  if (!slotsOf(env.work)?.canMail) throw new UserError('Mail is not set up, so nobody can be invited by mail.');
  const count = await inviteUsers(env, ids);
  if (count < ids.length) throw new UserError('Only active people with an e-mail address can be invited.');
}
