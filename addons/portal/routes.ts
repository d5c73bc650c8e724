import { sharedFile, threadDetails } from '@addons/mail';
import {
  companyFrame,
  composeMail,
  type Env,
  KontorError,
  parseMultipart,
  queueMail,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
  renderText,
  UserError,
  wordsIn,
} from '@kontor/addon';
import { accountCookie, checkOrigin, readerWords, textOf } from './accounts/routes.ts';
import { aboutRecord, linkPath, minutesFrom, portalLink, secretFormat } from './links/make-link.ts';
import { expiredPage, nothingPage, sentPage } from './pages/account-page.ts';
import { documentPage } from './pages/document-page.ts';
import { done, file, seeOther } from './pages/layout.ts';
import { readPage } from './pages/read-page.ts';
import { newLinkMail } from './portal-texts.ts';
import { accept, decline } from './visits/accept.ts';
import { addComment, checkedFile } from './visits/comment.ts';
import { type ExpiredLink, openAccountVisit, openVisit, type Visit } from './visits/visit.ts';

/** Each is drawn anew; an office whose people share an address reads several at once. */
const documentsPerMinute = 30;

type Open = (request: RouteRequest) => Promise<Visit | ExpiredLink | null>;
type Handle = (visit: Visit, request: RouteRequest) => Promise<RouteAnswer>;

const byLink: Open = ({ env, params }) => openVisit(env, params.secret ?? '');
const byAccount: Open = async ({ env, params, cookie }) =>
  openAccountVisit(env, cookie ?? '', { model: params.model ?? '', id: Number(params.id) });

export const documentRoutes: readonly RouteSpec[] = [
  // The secret in the path is all that a visitor has: whoever does not know it cannot post, so that no other site can in their name.
  ...routesAt(`/portal/:secret(${secretFormat})`, byLink),
  { method: 'POST', path: `/portal/:secret(${secretFormat})/renew`, auth: 'none', handler: renew },
  // Actions lead to paths of the office.
  {
    ...{ method: 'GET', path: `/web/portal/:secret(${secretFormat})`, auth: 'session' },
    handler: ({ params }) => seeOther(linkPath(params.secret ?? '')),
  },
  ...routesAt('/portal/my/:model/:id(^\\d{1,9}$)', byAccount),
];

function routesAt(base: string, open: Open): readonly RouteSpec[] {
  const cookie = open === byAccount ? { cookie: accountCookie } : {};
  const route = (method: 'GET' | 'POST', path: string, handler: RouteSpec['handler']): RouteSpec => ({
    ...{ method, path: `${base}${path}`, auth: 'none', handler, ...cookie },
  });
  return [
    route(
      'GET',
      '',
      visited(open, async (visit) => documentPage(visit, await readPage(visit))),
    ),
    { ...route('GET', '/document.pdf', visited(open, sendDocument)), perMinute: documentsPerMinute },
    route('GET', '/files/:file(^\\d{1,9}$)', visited(open, sendAttachment)),
    route('POST', '/seen', changing(open, noteVisit, done)),
    route('POST', '/comment', changing(open, takeComment)),
    route('POST', '/accept', changing(open, takeAcceptance)),
    route(
      'POST',
      '/decline',
      changing(open, (visit, { body }) => decline(visit, textOf(body, 'reason'))),
    ),
  ];
}

/** Nothing is there for whoever has no valid link; a link that was theirs and is over can be renewed. */
function visited(open: Open, handle: Handle): RouteSpec['handler'] {
  return async (request) => {
    const visit = await open(request);
    if (visit === null) return nothingPage(readerWords(request));
    if (!('expired' in visit)) return handle(visit, request);
    return expiredPage(wordsIn(request.env, visit.lang, 'portal'), linkPath(request.params.secret ?? ''));
  };
}

function changing(
  open: Open,
  change: (visit: Visit, request: RouteRequest) => Promise<void>,
  answer?: () => RouteAnswer,
) {
  return visited(open, async (visit, request) => {
    if (visit.isPreview) throw new KontorError('ACCESS_DENIED', 'A preview changes nothing.');
    if (open === byAccount) checkOrigin(request);
    await change(visit, request);
    return answer?.() ?? seeOther(visit.path);
  });
}

async function sendDocument({ env, spec, id }: Visit): Promise<RouteAnswer> {
  if (!spec.document) throw new KontorError('NOT_FOUND');
  // As the server: the visitor may see the record, and the PDF of a record is the same for everyone.
  const { name, pdf } = await spec.document(env.sudo(), id);
  return file(name, 'application/pdf', pdf);
}

async function sendAttachment({ env, model, id }: Visit, { params }: RouteRequest): Promise<RouteAnswer> {
  const found = await sharedFile(env, Number(params.file), { model, id });
  if (!found) throw new KontorError('NOT_FOUND', 'There is no such file.');
  return file(found.name, 'application/octet-stream', Buffer.from(found.data, 'base64'), false);
}

/** By the page's own script: programs that open links in mails run none, and do not count. As the server: links have no rights. */
async function noteVisit({ env, linkId }: Visit): Promise<void> {
  const links = env.sudo().model('portal.link');
  const now = env.now.toISOString();
  const [link] = await links.read([linkId], ['first_used_at']);
  await links.write([linkId], { last_used_at: now, first_used_at: link?.first_used_at ?? now });
}

async function takeComment(visit: Visit, { headers, body }: RouteRequest): Promise<void> {
  const { allows = [] } = visit.spec;
  if (!allows.includes('comment')) throw new KontorError('NOT_FOUND');
  const type = headers['content-type'] ?? '';
  const isForm = /^multipart\/form-data\b/i.test(type) && Buffer.isBuffer(body);
  const { fields, files } = isForm ? parseMultipart(type, body) : { fields: body, files: new Map() };
  const given = [...files.values()].map(checkedFile);
  if (given.length > 0 && !allows.includes('attach')) throw new UserError('Files are not taken here.');
  await addComment(visit, textOf(fields, 'body'), given);
}

async function takeAcceptance(visit: Visit, { body }: RouteRequest): Promise<void> {
  const chosen = [Object(body).chosen ?? []].flat().map(Number).filter(Number.isSafeInteger);
  await accept(visit, {
    version: textOf(body, 'version'),
    name: textOf(body, 'name'),
    picture: textOf(body, 'picture'),
    chosen: chosen.slice(0, 500),
  });
}

/** A new link to the same address; the answer is the same for every secret. */
async function renew(request: RouteRequest): Promise<RouteAnswer> {
  const link = await openVisit(request.env, request.params.secret ?? '');
  if (link !== null && 'expired' in link) await mailLink(request.env, link);
  return sentPage(readerWords(request));
}

const renewals = 3;

/** At most a few a day: the page can be opened by whoever has the old link. As the server: links have no rights of their own. */
async function mailLink(env: Env, { model, id, recipient: to, lang }: ExpiredLink): Promise<void> {
  const links = env.sudo().model('portal.link');
  const made = await links.count([
    ...aboutRecord({ model, id }),
    ['recipient', '=', to],
    ['create_date', '>=', minutesFrom(env, -24 * 60)],
  ]);
  const href = made < renewals ? await portalLink(env, { model, id }, to) : null;
  if (href === null) return;
  const { name, companyId } = await threadDetails(env, { model, id });
  const said = await renderText(env, newLinkMail, { lang, companyId }, { name });
  await queueMail(env, composeMail({ ...said, to, href, frame: await companyFrame(env, companyId, lang) }));
}
