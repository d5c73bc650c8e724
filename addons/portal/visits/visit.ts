import { anyModel, type Env, type PortalSpec, portalPaths } from '@kontor/addon';
import { accountOf } from '../accounts/account.ts';
import { findLink, linkPath, portalOf, type Subject } from '../links/make-link.ts';

export type Visitor = NonNullable<Awaited<ReturnType<typeof visitorOf>>>['visitor'];

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
 * The visit of whoever has this secret; null for one that never was, was withdrawn, or whose contact may no longer see the record: they
 * are not signed in, and the secret is all that they have.
 */
export async function openVisit(env: Env, secret: string): Promise<Visit | ExpiredLink | null> {
  const link = await findLink(env, ['document', 'preview'], secret);
  if (!link?.model || !link.res_id) return null;
  const visit = await visitBy(env, link, { model: link.model, id: link.res_id });
  if (visit && link.isOver) return { ...visit, expired: true, lang: visit.visitor.lang };
  return visit && { ...visit, isPreview: link.kind === 'preview', path: linkPath(secret) };
}

/** The visit of whoever is signed in with this secret; null if the record is not theirs. */
export async function openAccountVisit(env: Env, secret: string, { model, id }: Subject): Promise<Visit | null> {
  const account = await accountOf(env, 'session', secret);
  const visit = account && (await visitBy(env, account, { model, id }));
  return visit && { ...visit, isPreview: false, path: accountPath(model, id) };
}

/** Where a record is for whoever is signed in. */
export const accountPath = (model: string, id: number): string => `/portal/my/${model}/${id}`;

interface Link {
  readonly id: number;
  readonly partner_id: number;
  readonly recipient: string;
}

/** What the contact of a link sees of a record; null if it is not theirs. */
async function visitBy(env: Env, { id: linkId, partner_id, recipient }: Link, subject: Subject) {
  if (!env.registry.models.get(subject.model)?.portal) return null;
  const theirs = await visitorOf(env, partner_id);
  const [found] = theirs ? await anyModel(theirs.env, subject.model).search([['id', '=', subject.id]]) : [];
  if (theirs === null || found === undefined) return null;
  return { ...subject, ...theirs, linkId, recipient, spec: portalOf(env, subject.model) };
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
    ['name', 'lang', 'parent_id'],
  );
  const companies = await server.model('core.company').searchRead([], ['lang', 'tz'], { order: 'id' });
  const [company] = companies;
  if (!partner || !company) return null;
  const { id, name } = partner;
  const visitor = { id, name, lang: partner.lang ?? company.lang, tz: company.tz };
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
