import { type PersonWords, wordsIn } from '@kontor/kernel';
import type { Env } from '@kontor/orm/author';
import { text, UserError } from '@kontor/protocol';
import { composeMail } from '../mail/compose-mail.ts';
import { canMail, queueMail } from '../mail/mail-queue.ts';
import type { Mail } from '../mail/send-mail.ts';
import { readBaseAddress } from '../settings/config-parameter.ts';
import { createResetToken } from './password-reset.ts';

const days = 7;

/** Mails active users with an address a link to choose their password; those without one are left out. */
export async function inviteUsers(env: Env, ids: readonly number[]): Promise<number> {
  const address = canMail(env) ? await readBaseAddress(env.db) : null;
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
  if (!canMail(env)) throw new UserError('Mail is not set up, so nobody can be invited by mail.');
  const count = await inviteUsers(env, ids);
  if (count < ids.length) throw new UserError('Only active people with an e-mail address can be invited.');
}

export interface Invitation {
  readonly to: string;
  readonly name: string;
  readonly login: string;
  readonly company: string;
  readonly link: string;
  readonly days: number;
  readonly words?: PersonWords;
}

/** For a new user: who they are here, and where they choose a password. */
export function invitationMail({ to, name, login, company, link, days, words }: Invitation): Mail {
  return composeMail({
    to,
    ...(words && { words }),
    subject: text('{company} invites you to Kontor', { company }),
    paragraphs: [
      text('Hello {name},', { name }),
      text('{company} works with Kontor, and there is an account for you. Your login is {login}.', { company, login }),
    ],
    button: { label: text('Choose a password'), href: link },
    note: text('The link works once, for {days} days.', { days }),
  });
}
