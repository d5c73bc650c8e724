import '../models/link.ts';
import { anyModel, type Env, type PortalSpec, portalPaths } from '@kontor/addon';
import { accountOf } from '../accounts/account.ts';
import { hashOf, portalOf, type Subject } from '../links/make-link.ts';

export interface Visitor {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly lang: string;
  readonly tz: string;
}

/** A customer who looks at a record. */
export interface Visit extends Subject {
  readonly linkId: number;
  readonly recipient: string;
  /** A user of the office looks at it as the customer would, and changes nothing. */
  readonly isPreview: boolean;
  readonly visitor: Visitor;
  readonly spec: PortalSpec<Env>;
  /** With the rights of the visitor. */
  readonly env: Env;
  /** Where its page is. */
  readonly path: string;
}

/** A link that was theirs and is over: they may ask for another. */
export interface ExpiredLink extends Subject {
  readonly expired: true;
  readonly recipient: string;
  readonly lang: string;
}

/**
 * The visit of whoever has this secret; null for one that never was, was withdrawn, or whose contact may no longer see the record.
 * As the server: they are not signed in, and the secret is all that they have.
 */
export async function openVisit(env: Env, secret: string): Promise<Visit | ExpiredLink | null> {
  const [link] = await env
    .sudo()
    .model('portal.link')
    .searchRead(
      [
        ['secret_hash', '=', hashOf(secret)],
        ['kind', 'in', ['document', 'preview']],
        ['revoked_at', '=', null],
      ],
      ['kind', 'model', 'res_id', 'partner_id', 'recipient', 'expires_at'],
    );
  if (!link?.model || !link.res_id || !env.registry.models.get(link.model)?.portal) return null;
  const subject = { model: link.model, id: link.res_id };
  const seen = await visitAs(env, link.partner_id, subject);
  if (seen === null) return null;
  if (Date.parse(link.expires_at) <= env.now.getTime())
    return { ...subject, expired: true, recipient: link.recipient, lang: seen.visitor.lang };
  return {
    ...{ ...seen, linkId: link.id, recipient: link.recipient, isPreview: link.kind === 'preview' },
    path: `/portal/${secret}`,
  };
}

/** The visit of whoever is signed in with this secret; null if the record is not theirs. */
export async function openAccountVisit(env: Env, secret: string, subject: Subject): Promise<Visit | null> {
  const account = await accountOf(env, 'session', secret);
  if (account === null || !env.registry.models.get(subject.model)?.portal) return null;
  const seen = await visitAs(env, account.partner_id, subject);
  const { model, id } = subject;
  const { id: linkId, recipient } = account;
  return seen && { ...seen, linkId, recipient, isPreview: false, path: `/portal/my/${model}/${id}` };
}

type Seen = Omit<Visit, 'linkId' | 'recipient' | 'isPreview' | 'path'>;

/** What a contact sees of a record; null if it is not theirs. */
async function visitAs(env: Env, partnerId: number, subject: Subject): Promise<Seen | null> {
  const { visitor, env: theirs } = (await visitorOf(env, partnerId)) ?? {};
  if (!visitor || !theirs) return null;
  const [found] = await anyModel(theirs, subject.model).search([['id', '=', subject.id]]);
  return found === undefined ? null : { ...subject, visitor, env: theirs, spec: portalOf(env, subject.model) };
}

/**
 * A contact with the rights that the models declare for customers: their own records and those of their company. As the server:
 * who they are is read once, and everything else with their rights.
 */
export async function visitorOf(env: Env, partnerId: number) {
  const server = env.sudo();
  const [partner] = await server.model('core.partner').searchRead(
    [
      ['id', '=', partnerId],
      ['active', '=', true],
    ],
    ['name', 'email', 'lang', 'parent_id'],
  );
  const companies = await server.model('core.company').searchRead([], ['lang', 'tz'], { order: 'id' });
  const [company] = companies;
  if (!partner || !company) return null;
  const { id, name, email } = partner;
  const visitor = { id, name, email, lang: partner.lang ?? company.lang, tz: company.tz };
  const reads = readsOf(env, [id, ...(partner.parent_id === null ? [] : [partner.parent_id])]);
  return {
    visitor,
    env: env.inLanguage(visitor.lang).visiting({ ...visitor, companyIds: companies.map((each) => each.id), reads }),
  };
}

interface Reads {
  domain?: readonly unknown[];
  readonly fields: Set<string>;
}

/** Records of these contacts and exactly the declared paths. */
function readsOf(env: Env, partnerIds: readonly number[]) {
  const reads = new Map<string, Reads>();
  const of = (model: string): Reads => {
    const known = reads.get(model) ?? { fields: new Set<string>() };
    reads.set(model, known);
    return known;
  };
  for (const { name, portal } of env.registry.models.values()) {
    if (!portal) continue;
    of(name).domain = [[portal.customer, 'in', partnerIds], ...(portal.where ?? [])];
    for (const path of shownPaths(env, name)) {
      let at: string | undefined = name;
      for (const step of path.split('.')) {
        if (at === undefined) break;
        of(at).fields.add(step);
        at = env.registry.model(at).fields.get(step)?.spec.relation;
      }
    }
  }
  return reads as ReadonlyMap<string, { readonly fields: ReadonlySet<string> }>;
}

/** The declared paths, and the currency that amounts are in. */
export function shownPaths(env: Env, model: string): readonly string[] {
  const { fields } = env.registry.model(model);
  const currency = fields.has('currency_id') ? ['currency_id.symbol', 'currency_id.decimal_places'] : [];
  return [...portalPaths(portalOf(env, model)), ...currency];
}
