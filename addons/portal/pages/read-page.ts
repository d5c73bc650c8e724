import '../models/signature.ts';
import { messageFiles, threadDetails } from '@addons/mail';
import { anyModel, dateIn, type Env, formatDate, fromHtml } from '@kontor/addon';
import { aboutRecord, portalOf, type Subject } from '../links/make-link.ts';
import type { Visit } from '../visits/visit.ts';
import { readContent, readDocument } from './read-document.ts';

/** What a page is made of. */
export type PageParts = Awaited<ReturnType<typeof readPage>>;

export async function readPage(visit: Visit) {
  const { env, spec, id } = visit;
  return {
    document: await readDocument(visit),
    company: await companyOf(visit),
    messages: await messagesOf(visit),
    signature: await signatureOf(visit),
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

const mostMessages = 100;

/** What the customer wrote and what was written to them; never notes of the office. As the server: messages have no rights. */
async function messagesOf(visit: Visit) {
  const { env, visitor } = visit;
  const rows = await env
    .sudo()
    .model('mail.message')
    .searchRead([...aboutRecord(visit), ['is_shared', '=', true]], ['body', 'date', 'sender_name', 'author_id.name'], {
      order: '-id',
      limit: mostMessages,
    });
  const files = await messageFiles(
    env,
    rows.map((row) => row.id),
  );
  return rows.reverse().map((row) => ({
    author: row['author_id.name'] ?? row.sender_name ?? '',
    date: formatDate(dateIn(visitor.tz, row.date ?? env.now.toISOString()), visitor.lang),
    body: fromHtml(row.body ?? ''),
    files: files.get(row.id) ?? [],
  }));
}

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

const mostSignatures = 20;

/** Whether a record says what it said, by its own values: of other records only which ones they are. */
function stillSays(before: unknown, now: unknown, contact: string | undefined): boolean {
  if (Array.isArray(before)) {
    const others = Array.isArray(now) ? now : [];
    return before.length === others.length && before.every((each, at) => saysSame(each, others[at]));
  }
  return saysSame(before, now, contact);
}

function saysSame(before: unknown, now: unknown, contact?: string): boolean {
  const names = Object.keys(before ?? {}).filter((name) => name !== contact);
  return names.every((name) => {
    const [was, is] = [before, now].map((record) => (record as Record<string, unknown> | null)?.[name] ?? null);
    if (Array.isArray(was)) return stillSays(was, is, undefined);
    return idOf(was) === idOf(is);
  });
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
}

async function signatureOf(visit: Visit) {
  const { lang, tz } = visit.visitor;
  const row = visit.spec.accept ? await currentSignature(visit.env, visit) : null;
  return row && { name: row.name, date: formatDate(dateIn(tz, row.signed_at), lang), picture: row.picture };
}
