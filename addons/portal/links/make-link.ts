import { hash, randomBytes } from 'node:crypto';
import '../models/link.ts';
import { anyModel, type Domain, type Env, type PortalSpec, serverLink } from '@kontor/addon';

/** A record that customers may see. */
export interface Subject {
  readonly model: string;
  readonly id: number;
}

/** 256 random bits, which nobody guesses; the format keeps anything else from the database. */
export const secretFormat = '^[A-Za-z0-9_-]{43}$';
export const newSecret = (): string => randomBytes(32).toString('base64url');
/** A secret is found by its hash, so that the time of a comparison tells nothing about it. */
export const hashOf = (secret: string): string => hash('sha256', secret);
export const linkPath = (secret: string): string => `/portal/${secret}`;

/** What is about a record: its links and signatures. */
export const aboutRecord = ({ model, id }: Subject) =>
  [
    ['model', '=', model],
    ['res_id', '=', id],
  ] as const;

const day = 24 * 60;
export const usualDays = 90;
/** How long a link is valid, in minutes. */
export const validMinutes = { document: usualDays * day, preview: 30, sign_in: 30, session: 30 * day } as const;
type Kind = keyof typeof validMinutes;

/** As the server, here and below: links have no rights of their own; the callers check who makes, opens or ends one. */
const linksOf = (env: Env) => env.sudo().model('portal.link');

/**
 * A new link to the page of a record, for a customer with this address; null if the server does not know its own address. Earlier
 * links stay valid: all of them show the record as it is now.
 * ```ts
 * const href = await portalLink(env, { model: 'sale.order', id: 7 }, 'ines@hotel.example');
 * ```
 */
export async function portalLink(env: Env, subject: Subject, recipient: string): Promise<string | null> {
  const secret = newSecret();
  const href = await serverLink(env, linkPath(secret));
  if (href !== null) await keepLink(env, subject, { kind: 'document', secret, recipient });
  return href;
}

interface NewLink {
  readonly kind: Kind;
  readonly secret: string;
  readonly recipient: string;
  readonly minutes?: number;
}

/** Keeps a link to a record, or to everything that a contact sees. */
export async function keepLink(env: Env, to: Subject | number, { secret, minutes, ...link }: NewLink): Promise<void> {
  const shown =
    typeof to === 'number'
      ? { partner_id: to }
      : { model: to.model, res_id: to.id, partner_id: await contactFor(env, to, link.recipient) };
  const expires_at = minutesFrom(env, minutes ?? validMinutes[link.kind]);
  await linksOf(env).create({ ...link, ...shown, secret_hash: hashOf(secret), expires_at });
}

/** The link with this secret; null for one that never was, or was withdrawn. */
export async function findLink(env: Env, kinds: readonly Kind[], secret: string) {
  const [link] = await linksOf(env).searchRead(
    [
      ['secret_hash', '=', hashOf(secret)],
      ['kind', 'in', [...kinds]],
      ['revoked_at', '=', null],
    ],
    [
      ...(['kind', 'model', 'res_id', 'recipient', 'expires_at', 'partner_id'] as const),
      ...(['partner_id.email', 'partner_id.active', 'partner_id.has_portal'] as const),
    ],
  );
  return link ? { ...link, isOver: Date.parse(link.expires_at) <= env.now.getTime() } : null;
}

/** Whether there were any. */
export async function withdrawLinks(env: Env, which: Domain<'portal.link'>): Promise<boolean> {
  const open = await linksOf(env).search([...which, ['revoked_at', '=', null]]);
  await linksOf(env).write(open, { revoked_at: env.now.toISOString() });
  return open.length > 0;
}

/** Whether so many links were made in the last minutes: a page that anybody opens does not fill a mailbox. */
export async function areMany(
  env: Env,
  { most, minutes }: Readonly<Record<'most' | 'minutes', number>>,
  which: Domain<'portal.link'>,
): Promise<boolean> {
  return (await linksOf(env).count([...which, ['create_date', '>=', minutesFrom(env, -minutes)]])) >= most;
}

/** The instant so many minutes after now. */
function minutesFrom({ now }: Env, minutes: number): string {
  return new Date(now.getTime() + minutes * 60_000).toISOString();
}

/** The declaration of a model that customers may see. */
export function portalOf(env: Env, model: string): PortalSpec<Env> {
  const { portal } = env.registry.model(model);
  if (!portal) throw new Error(`${model} has no portal.`);
  return portal as PortalSpec<Env>;
}

/** As the server: whoever may read the record may know where its customer is written to. */
export async function customerOf(env: Env, { model, id }: Subject) {
  const { customer } = portalOf(env, model);
  const paths = ['id', 'email', 'lang'].map((name) => `${customer}.${name}`);
  const [record] = await anyModel(env.sudo(), model).read([id], paths);
  const [own, email, lang] = paths.map((path) => record?.[path]);
  return { id: Number(own), email: (email ?? null) as string | null, lang: String(lang ?? 'en_US') };
}

/** The person at the customer with this address, or else the customer. */
async function contactFor(env: Env, subject: Subject, recipient: string): Promise<number> {
  const { id: own } = await customerOf(env, subject);
  const [person] = await env
    .sudo()
    .model('core.partner')
    .search([['email', '=', recipient], ['active', '=', true], '|', ['id', '=', own], ['parent_id', '=', own]], {
      order: 'id',
      limit: 1,
    });
  return person ?? own;
}
