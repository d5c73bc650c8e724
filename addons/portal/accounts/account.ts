import {
  type ActionCall,
  domain,
  type Env,
  queueMail,
  refuseLimitedKey,
  serverLink,
  textMail,
  UserError,
} from '@kontor/addon';
import { areMany, findLink, keepLink, newSecret, validMinutes, withdrawLinks } from '../links/make-link.ts';
import { signInMail } from '../portal-texts.ts';

/** Gives the contact an account and mails a link to sign in. */
export async function inviteContact({ env, records }: ActionCall<'core.partner'>): Promise<void> {
  // An account shows documents and signs them, and the address may be one that an agent has entered.
  refuseLimitedKey(env);
  const contact = await records.only('email', 'active', 'lang');
  if (!contact.email || !contact.active) throw new UserError('Enter the e-mail address of the contact first.');
  // As the server: the field is not written by hand. The caller may change the contact, as checked before.
  await env.sudo().model('core.partner').write([contact.id], { has_portal: true });
  if (!(await mailSignIn(env, contact)))
    throw new UserError('No mail server is set up, or too many links were sent. The link could not be sent.');
}

/** Ends the account, and whatever is signed in with it. */
export async function endAccess({ env, records }: ActionCall<'core.partner'>): Promise<void> {
  const links = domain('portal.link', [
    ['partner_id', 'in', records.ids],
    ['kind', 'in', ['sign_in', 'session']],
  ]);
  await withdrawLinks(env, links);
  // As the server: the field is not written by hand. The caller may change the contacts, as checked before.
  await env.sudo().model('core.partner').write(records.ids, { has_portal: false });
}

/** Whoever asks gets the same answer. As the server: a stranger asks, and only the owner of the address learns anything. */
export async function requestSignIn(env: Env, email: string): Promise<void> {
  const [contact] = await env
    .sudo()
    .model('core.partner')
    .searchRead(
      [
        ['email', '=', email],
        ['active', '=', true],
        ['has_portal', '=', true],
      ],
      ['email', 'lang'],
      { order: 'id', limit: 1 },
    );
  if (contact) await mailSignIn(env, contact);
}

type Contact = Readonly<{ id: number; email: string | null; lang: string | null }>;

async function mailSignIn(env: Env, { id, email: to, lang }: Contact): Promise<boolean> {
  const secret = newSecret();
  const href = await serverLink(env, `/portal/in/${secret}`);
  const own = domain('portal.link', [
    ['partner_id', '=', id],
    ['kind', '=', 'sign_in'],
  ]);
  if (href === null || !to || (await areMany(env, { most: 5, minutes: 60 }, own))) return false;
  await keepLink(env, id, { kind: 'sign_in', secret, recipient: to });
  const values = { minutes: validMinutes.sign_in };
  return queueMail(env, await textMail(env, signInMail, { to, lang, href, values }));
}

/**
 * The contact whose account a secret opens now; null for any other secret. The link went to the address of the contact: after a
 * merge it belongs to another contact, with another address.
 */
export async function accountOf(env: Env, kind: 'sign_in' | 'session', secret: string) {
  const link = await findLink(env, [kind], secret);
  if (!link || link.isOver || !link['partner_id.has_portal'] || !link['partner_id.active']) return null;
  return link.recipient.toLowerCase() === link['partner_id.email']?.toLowerCase() ? link : null;
}

/** A sign-in link works once: what it opens is a session of its own. Null if it does not. */
export async function signIn(env: Env, given: string): Promise<string | null> {
  const found = await accountOf(env, 'sign_in', given);
  if (found === null) return null;
  // The write locks the link: whoever comes at the same moment waits here, and then finds it used.
  await env.sudo().model('portal.link').write([found.id], { last_used_at: env.now.toISOString() });
  const link = await accountOf(env, 'sign_in', given);
  if (link === null) return null;
  await withdrawLinks(env, domain('portal.link', [['id', '=', link.id]]));
  const secret = newSecret();
  await keepLink(env, link.partner_id, { kind: 'session', secret, recipient: link.recipient });
  return secret;
}
