import { hash, randomBytes } from 'node:crypto';
import '../models/link.ts';
import { anyModel, type Env, type PortalSpec, serverLink } from '@kontor/addon';

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

const days = 90;

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
  if (href !== null) await keepLink(env, subject, { secret, recipient, kind: 'document', validDays: days });
  return href;
}

interface NewLink {
  readonly secret: string;
  readonly recipient: string;
  readonly kind: 'document' | 'preview';
  readonly validDays: number;
}

/** As the server: links have no rights of their own; the callers check that the user may read the record. */
export async function keepLink(env: Env, subject: Subject, link: NewLink): Promise<void> {
  const { secret, recipient, kind, validDays } = link;
  await env
    .sudo()
    .model('portal.link')
    .create({
      ...{ kind, recipient, model: subject.model, res_id: subject.id },
      partner_id: await contactFor(env, subject, recipient),
      secret_hash: hashOf(secret),
      expires_at: new Date(env.now.getTime() + validDays * 86_400_000).toISOString(),
    });
}

/** The declaration of a model that customers may see. */
export function portalOf(env: Env, model: string): PortalSpec<Env> {
  const { portal } = env.registry.model(model);
  if (!portal) throw new Error(`${model} has no portal.`);
  return portal as PortalSpec<Env>;
}

/** The person at the customer with this address, or else the customer. */
async function contactFor(env: Env, { model, id }: Subject, recipient: string): Promise<number> {
  const { customer } = portalOf(env, model);
  const path = `${customer}.id`;
  const [record] = await anyModel(env.sudo(), model).read([id], [path]);
  const own = Number(record?.[path]);
  const [person] = await env
    .sudo()
    .model('core.partner')
    .search([['email', '=', recipient], ['active', '=', true], '|', ['id', '=', own], ['parent_id', '=', own]], {
      order: 'id',
      limit: 1,
    });
  return person ?? own;
}
