import '../models/link.ts';
import {
  type ActionCall,
  composeMail,
  type Env,
  queueMail,
  refuseLimitedKey,
  renderText,
  serverLink,
  UserError,
} from '@kontor/addon';
import { hashOf, newSecret } from '../links/make-link.ts';
import { signInMail } from '../portal-texts.ts';

const minutes = 60_000;
const signInMinutes = 30;
const sessionMinutes = 60 * 24 * 30;
const signInsInAnHour = 5;

/** Gives the contact an account and mails a link to sign in. */
export async function inviteContact({ env, records }: ActionCall<'core.partner'>): Promise<void> {
  // An account shows documents and signs them, and the address may be one that an agent has entered.
  refuseLimitedKey(env);
  const contact = await records.only('name', 'email', 'active', 'lang');
  if (!contact.email || !contact.active) throw new UserError('Enter the e-mail address of the contact first.');
  // As the server: the field is not written by hand. The caller may change the contact, as checked before.
  await env.sudo().model('core.partner').write([contact.id], { has_portal: true });
  if (!(await mailSignIn(env, { id: contact.id, email: contact.email, lang: contact.lang })))
    throw new UserError('No mail server is set up, or too many links were sent. The link could not be sent.');
}

/** Ends the account, and whatever is signed in with it. */
export async function endAccess({ env, records }: ActionCall<'core.partner'>): Promise<void> {
  // As the server: links have no rights, and the field is not written by hand. The caller may change the contacts, as checked before.
  const links = env.sudo().model('portal.link');
  const open = await links.search([
    ['partner_id', 'in', records.ids],
    ['kind', 'in', ['sign_in', 'session']],
    ['revoked_at', '=', null],
  ]);
  await links.write(open, { revoked_at: env.now.toISOString() });
  await env.sudo().model('core.partner').write(records.ids, { has_portal: false });
}

interface Contact {
  readonly id: number;
  readonly email: string;
  readonly lang: string | null;
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
  if (contact?.email) await mailSignIn(env, { id: contact.id, email: contact.email, lang: contact.lang });
}

async function mailSignIn(env: Env, { id, email, lang }: Contact): Promise<boolean> {
  const since = new Date(env.now.getTime() - 60 * minutes).toISOString();
  const recent = await env
    .sudo()
    .model('portal.link')
    .count([
      ['partner_id', '=', id],
      ['kind', '=', 'sign_in'],
      ['create_date', '>=', since],
    ]);
  const secret = newSecret();
  const href = await serverLink(env, `/portal/in/${secret}`);
  if (recent >= signInsInAnHour || href === null) return false;
  await keep(env, { kind: 'sign_in', partnerId: id, recipient: email, secret, validMinutes: signInMinutes });
  const { button, ...said } = await renderText(env, signInMail, { lang }, { minutes: signInMinutes });
  return queueMail(env, composeMail({ ...said, to: email, button: { label: button, href } }));
}

interface Kept {
  readonly kind: 'sign_in' | 'session';
  readonly partnerId: number;
  readonly recipient: string;
  readonly secret: string;
  readonly validMinutes: number;
}

/** As the server, here and below: links have no rights of their own. */
async function keep(env: Env, { kind, partnerId, recipient, secret, validMinutes }: Kept): Promise<void> {
  const expires_at = new Date(env.now.getTime() + validMinutes * minutes).toISOString();
  await env
    .sudo()
    .model('portal.link')
    .create({ kind, partner_id: partnerId, recipient, secret_hash: hashOf(secret), expires_at });
}

/**
 * The contact whose account a secret opens now; null for any other secret. The link went to the address of the contact: after a
 * merge it belongs to another contact, with another address.
 */
export async function accountOf(env: Env, kind: Kept['kind'], secret: string) {
  const [link] = await env
    .sudo()
    .model('portal.link')
    .searchRead(
      [
        ['secret_hash', '=', hashOf(secret)],
        ['kind', '=', kind],
        ['revoked_at', '=', null],
        ['expires_at', '>', env.now.toISOString()],
        ['partner_id.has_portal', '=', true],
        ['partner_id.active', '=', true],
      ],
      ['partner_id', 'recipient', 'partner_id.email'],
    );
  const isTheirs = link?.recipient.toLowerCase() === link?.['partner_id.email']?.toLowerCase();
  return link && isTheirs ? link : null;
}

/** A sign-in link works once: what it opens is a session of its own. Null if it does not. */
export async function signIn(env: Env, secret: string): Promise<{ secret: string; maxAgeSeconds: number } | null> {
  const found = await accountOf(env, 'sign_in', secret);
  if (found === null) return null;
  // The write locks the link: whoever comes at the same moment waits here, and then finds it used.
  await env.sudo().model('portal.link').write([found.id], { last_used_at: env.now.toISOString() });
  const link = await accountOf(env, 'sign_in', secret);
  if (link === null) return null;
  await endLink(env, link.id);
  const session = newSecret();
  const { partner_id: partnerId, recipient } = link;
  await keep(env, { kind: 'session', partnerId, recipient, secret: session, validMinutes: sessionMinutes });
  return { secret: session, maxAgeSeconds: sessionMinutes * 60 };
}

export async function endLink(env: Env, id: number): Promise<void> {
  await env
    .sudo()
    .model('portal.link')
    .write([id], { revoked_at: env.now.toISOString(), last_used_at: env.now.toISOString() });
}
