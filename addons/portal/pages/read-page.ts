import '../models/signature.ts';
import { messageFiles } from '@addons/mail';
import { anyModel, dateIn, type Env, formatDate, type PortalPayment } from '@kontor/addon';
import { portalOf, type Subject } from '../links/make-link.ts';
import type { Visit } from '../visits/visit.ts';
import { plainText } from './html.ts';
import { readContent, readDocument, type ShownDocument } from './read-document.ts';

export interface ShownMessage {
  readonly author: string;
  readonly date: string;
  readonly body: string;
  readonly files: readonly { readonly id: number; readonly name: string }[];
}
export interface ShownSignature {
  readonly name: string;
  readonly date: string;
  readonly picture: string;
}

/** What a page is made of. */
export interface PageParts {
  readonly document: ShownDocument;
  readonly company: { readonly name: string; readonly phone: string | null; readonly logo: string | null };
  readonly messages: readonly ShownMessage[];
  readonly signature: ShownSignature | null;
  readonly payment: PortalPayment | null;
  readonly mayAccept: boolean;
  readonly mayDecline: boolean;
}

export async function readPage(visit: Visit): Promise<PageParts> {
  const { env, spec, id } = visit;
  const document = await readDocument(visit);
  const company = await companyOf(visit);
  const messages = await messagesOf(visit);
  const signature = await signatureOf(visit);
  const mayAccept = await matches(visit, spec.accept?.where);
  const mayDecline = await matches(visit, spec.decline?.where);
  // As the server: what to pay and where is printed on the document, which the visitor may read.
  const payment = (await spec.payment?.(env.sudo(), id)) ?? null;
  return { document, company, messages, signature, payment, mayAccept, mayDecline };
}

/** Whether the record is in a state in which they may do it. As the server: the condition may name fields that they do not see. */
export async function matches({ env, model, id }: Visit, where: readonly unknown[] | undefined): Promise<boolean> {
  if (where === undefined) return false;
  return (await anyModel(env.sudo(), model).count([['id', '=', id], ...(where as [])])) > 0;
}

/** As the server: who the company is stands on every document. */
async function companyOf({ env, model, id }: Visit): Promise<PageParts['company']> {
  const server = env.sudo();
  const [record] = env.registry.model(model).hasCompany ? await anyModel(server, model).read([id], ['company_id']) : [];
  const [company] = await server
    .model('core.company')
    .searchRead(record?.company_id ? [['id', '=', Number(record.company_id)]] : [], ['name', 'phone', 'logo'], {
      order: 'id',
      limit: 1,
    });
  return { name: company?.name ?? '', phone: company?.phone ?? null, logo: company?.logo ?? null };
}

const mostMessages = 100;

/** What the customer wrote and what was written to them; never notes of the office. As the server: messages have no rights. */
async function messagesOf({ env, model, id, visitor }: Visit): Promise<readonly ShownMessage[]> {
  const rows = await env
    .sudo()
    .model('mail.message')
    .searchRead(
      [
        ['model', '=', model],
        ['res_id', '=', id],
        ['is_shared', '=', true],
      ],
      ['body', 'date', 'sender_name', 'author_id.name'],
      { order: '-id', limit: mostMessages },
    );
  const files = await messageFiles(
    env,
    rows.map((row) => row.id),
  );
  return rows.reverse().map((row) => ({
    author: row['author_id.name'] ?? row.sender_name ?? '',
    date: formatDate(dateIn(visitor.tz, row.date ?? env.now.toISOString()), visitor.lang),
    body: plainText(row.body ?? ''),
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
    .searchRead(
      [
        ['model', '=', subject.model],
        ['res_id', '=', subject.id],
      ],
      ['name', 'signed_at', 'picture', 'sha256', 'content'],
      { order: '-id', limit: mostSignatures },
    );
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

async function signatureOf(visit: Visit): Promise<ShownSignature | null> {
  const { lang, tz } = visit.visitor;
  const row = visit.spec.accept ? await currentSignature(visit.env, visit) : null;
  return row && { name: row.name, date: formatDate(dateIn(tz, row.signed_at), lang), picture: row.picture };
}
