import '../models/signature.ts';
import { sharedMessages, threadDetails } from '@addons/mail';
import { anyModel, dateIn, type Env, formatDate, fromHtml } from '@kontor/addon';
import { aboutRecord, portalOf, type Subject } from '../links/make-link.ts';
import type { Visit } from '../visits/visit.ts';
import { readContent, readDocument } from './read-document.ts';

/** What a page is made of. */
export type PageParts = Awaited<ReturnType<typeof readPage>>;

export async function readPage(visit: Visit) {
  const { env, spec, id, visitor } = visit;
  const day = (instant: string) => formatDate(dateIn(visitor.tz, instant), visitor.lang);
  const signature = spec.accept ? await currentSignature(env, visit) : null;
  const messages = await sharedMessages(env, visit);
  return {
    document: await readDocument(visit),
    company: await companyOf(visit),
    messages: messages.map((each) => ({ ...each, date: day(each.date), body: fromHtml(each.body) })),
    signature: signature && { ...signature, date: day(signature.signed_at) },
    mayAccept: (await stepOf(visit, 'accept')) !== null,
    mayDecline: (await stepOf(visit, 'decline')) !== null,
    // As the server: what to pay and where is printed on the document, which the visitor may read.
    payment: (await spec.payment?.(env.sudo(), id)) ?? null,
  };
}

/**
 * How the record moves when its customer accepts or declines; null if it is in no state in which they may. As the server: the condition
 * may name fields that they do not see.
 */
export async function stepOf({ env, model, id, spec }: Visit, act: 'accept' | 'decline') {
  const step = spec[act];
  if (step === undefined) return null;
  const found = await anyModel(env.sudo(), model).count([['id', '=', id], ...(step.where as [])]);
  return found > 0 ? step : null;
}

/** As the server: who the company is stands on every document. */
async function companyOf(visit: Visit) {
  const { companyId } = await threadDetails(visit.env, visit);
  const [company] = await visit.env
    .sudo()
    .model('core.company')
    .searchRead(companyId === null ? [] : [['id', '=', companyId]], ['name', 'phone', 'logo'], {
      order: 'id',
      limit: 1,
    });
  return company ?? { name: '', phone: null, logo: null };
}

const mostSignatures = 20;

/**
 * The last signature under what the record says now; null if nobody signed it, or it has changed since. Who answers for it,
 * and names and addresses of others in it, may change: the signature is kept with those that were read. As the server.
 */
export async function currentSignature(env: Env, subject: Subject) {
  const rows = await env
    .sudo()
    .model('portal.signature')
    .searchRead(aboutRecord(subject), ['name', 'signed_at', 'picture', 'sha256', 'content'], {
      order: '-id',
      limit: mostSignatures,
    });
  if (rows.length === 0) return null;
  const { contact } = portalOf(env, subject.model);
  const now = (await readContent(env.sudo(), subject)).content;
  return rows.find(({ content }) => stillSays(content, now, contact)) ?? null;
}

/** Whether a record, or each of its lines, says what it said, by its own values: of other records only which ones they are. */
function stillSays(before: unknown, now: unknown, but?: string): boolean {
  if (Array.isArray(before)) {
    const others = Array.isArray(now) ? now : [];
    return before.length === others.length && before.every((each, at) => stillSays(each, others[at]));
  }
  return Object.entries(before ?? {}).every(([name, was]) => {
    const is: unknown = Object(now)[name] ?? null;
    return name === but || (Array.isArray(was) ? stillSays(was, is) : idOf(was) === idOf(is));
  });
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
}
