import { anyModel, customerReads, type Env, type PortalSpec } from '@kontor/addon';
import { accountOf } from '../accounts/account.ts';
import { findLink, linkPath, portalOf, type Subject } from '../links/make-link.ts';

export type Visitor = NonNullable<Awaited<ReturnType<typeof visitorOf>>>['visitor'];

/** A customer who looks at a record. */
export interface Visit extends Subject {
  readonly linkId: number;
  readonly recipient: string;
  /** A user of the office looks at it as the customer would, and changes nothing. */
  readonly isPreview: boolean;
  /** The link was theirs and is over: they may ask for another, and see nothing. */
  readonly isOver: boolean;
  readonly visitor: Visitor;
  readonly spec: PortalSpec<Env>;
  /** With the rights of the visitor. */
  readonly env: Env;
  /** Where its page is. */
  readonly path: string;
}

/**
 * The visit of whoever has this secret; null for one that never was, was withdrawn, or whose contact may no longer see the record: they
 * are not signed in, and the secret is all that they have.
 */
export async function openVisit(env: Env, secret: string): Promise<Visit | null> {
  const link = await findLink(env, ['document', 'preview'], secret);
  if (!link?.model || !link.res_id) return null;
  return visitBy(env, link, { model: link.model, id: link.res_id }, linkPath(secret));
}

/** The visit of whoever is signed in with this secret; null if the record is not theirs. */
export async function openAccountVisit(env: Env, secret: string, subject: Subject): Promise<Visit | null> {
  const account = await accountOf(env, 'session', secret);
  return account && visitBy(env, account, subject, accountPath(subject));
}

/** Where a record is for whoever is signed in. */
export const accountPath = ({ model, id }: Subject): string => `/portal/my/${model}/${id}`;

type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>;

/** What the contact of a link sees of a record; null if it is not theirs. */
async function visitBy(env: Env, link: Link, subject: Subject, path: string): Promise<Visit | null> {
  if (!env.registry.models.get(subject.model)?.portal) return null;
  const theirs = await visitorOf(env, link.partner_id);
  const [found] = theirs ? await anyModel(theirs.env, subject.model).search([['id', '=', subject.id]]) : [];
  if (theirs === null || found === undefined) return null;
  const { id: linkId, recipient, kind, isOver } = link;
  const spec = portalOf(env, subject.model);
  return { ...subject, ...theirs, linkId, recipient, isPreview: kind === 'preview', isOver, spec, path };
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
  const { id, name, parent_id: firm } = partner;
  const visitor = { id, name, lang: partner.lang ?? company.lang, tz: company.tz };
  const reads = customerReads(env.registry, firm === null ? [id] : [id, firm]);
  const companyIds = companies.map((each) => each.id);
  return { visitor, env: env.inLanguage(visitor.lang).visiting({ ...visitor, companyIds, reads }) };
}
