import { outsideFile, sharedFile, threadDetails } from '@addons/mail';
import {
  anyModel,
  domain,
  fileAnswer,
  isMailAddress,
  KontorError,
  parseMultipart,
  portalPaths,
  queueMail,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
  secretHeaders,
  textMail,
  UserError,
  wordsIn,
} from '@kontor/addon';
import { accountOf, requestSignIn, signIn } from './accounts/account.ts';
import {
  aboutRecord,
  areMany,
  linkPath,
  portalLink,
  secretFormat,
  validMinutes,
  withdrawLinks,
} from './links/make-link.ts';
import { accountPage, expiredPage, nothingPage, sentPage, signInPage } from './pages/account-page.ts';
import { documentPage } from './pages/document-page.ts';
import { seeOther, wordsOf } from './pages/layout.ts';
import { readList } from './pages/read-document.ts';
import { readPage } from './pages/read-page.ts';
import { newLinkMail } from './portal-texts.ts';
import { accept, comment, decline } from './visits/customer-acts.ts';
import { openAccountVisit, openVisit, type Visit, visitorOf } from './visits/visit.ts';

/** Each is drawn anew; an office whose people share an address reads several at once. */
const documentsPerMinute = 30;

type Open = (request: RouteRequest) => Promise<Visit | null>;
type Handle = (visit: Visit, request: RouteRequest) => Promise<RouteAnswer>;

const byLink: Open = ({ env, params }) => openVisit(env, params.secret ?? '');
const byAccount: Open = ({ env, params, cookie }) =>
  openAccountVisit(env, cookie ?? '', { model: params.model ?? '', id: Number(params.id) });

const secretPath = `/portal/:secret(${secretFormat})`;
const signInPath = `/portal/in/:secret(${secretFormat})`;

/** The secret in a path is all that a visitor has: whoever does not know it cannot post, so that no other site can in their name. */
export const portalRoutes: readonly RouteSpec[] = [
  ...routesAt(secretPath, byLink),
  route('POST', `${secretPath}/renew`, renew),
  // Actions lead to paths of the office.
  {
    ...{ method: 'GET', path: `/web${secretPath}`, auth: 'session' },
    handler: ({ params }) => seeOther(linkPath(params.secret ?? '')),
  },
  ...routesAt('/portal/my/:model/:id(^\\d{1,9}$)', byAccount),
  route('GET', '/portal', showAccount),
  route('POST', '/portal/sign-in', askForLink),
  route('GET', signInPath, confirmSignIn),
  route('POST', signInPath, finishSignIn),
  route('POST', '/portal/sign-out', signOut),
];

function route(method: 'GET' | 'POST', path: string, handler: RouteSpec['handler']): RouteSpec {
  return { method, path, auth: 'none', handler, cookie: { name: 'portal_account', path: '/portal' } };
}

function routesAt(base: string, open: Open): readonly RouteSpec[] {
  const reads = (path: string, handle: Handle) => route('GET', `${base}${path}`, visited(open, handle));
  const changes = (path: string, change: Handle) => route('POST', `${base}${path}`, visited(open, changing(change)));
  return [
    reads('', async (visit) => documentPage(visit, await readPage(visit))),
    { ...reads('/document.pdf', sendDocument), perMinute: documentsPerMinute },
    reads('/files/:file(^\\d{1,9}$)', sendAttachment),
    changes('/seen', noteVisit),
    changes('/comment', takeComment),
    changes('/accept', takeAcceptance),
    changes('/decline', takeRefusal),
  ];
}

/** Nothing is there for whoever has no valid link; a link that was theirs and is over can be renewed. */
function visited(open: Open, handle: Handle): RouteSpec['handler'] {
  return async (request) => {
    const visit = await open(request);
    if (visit === null) return nothingPage(wordsOf(request));
    return visit.isOver ? expiredPage(visit) : handle(visit, request);
  };
}

function changing(change: Handle): Handle {
  return async (visit, request) => {
    if (visit.isPreview) throw new KontorError('ACCESS_DENIED', 'A preview changes nothing.');
    return change(visit, request);
  };
}

async function sendDocument({ env, spec, id }: Visit): Promise<RouteAnswer> {
  if (!spec.document) throw new KontorError('NOT_FOUND');
  // As the server: the visitor may see the record, and the PDF of a record is the same for everyone.
  const { name, pdf: content } = await spec.document(env.sudo(), id);
  return fileAnswer({ name, type: 'application/pdf', content, isShown: true, headers: secretHeaders });
}

async function sendAttachment(visit: Visit, { params }: RouteRequest): Promise<RouteAnswer> {
  const found = await sharedFile(visit.env, Number(params.file), visit);
  if (!found) throw new KontorError('NOT_FOUND', 'There is no such file.');
  return fileAnswer({ name: found.name, content: Buffer.from(found.data, 'base64'), headers: secretHeaders });
}

/** By the page's own script: programs that open links in mails run none, and do not count. As the server: links have no rights. */
async function noteVisit({ env, linkId }: Visit): Promise<RouteAnswer> {
  const links = env.sudo().model('portal.link');
  const now = env.now.toISOString();
  const [link] = await links.read([linkId], ['first_used_at']);
  await links.write([linkId], { last_used_at: now, first_used_at: link?.first_used_at ?? now });
  return { status: 204, headers: secretHeaders };
}

async function takeComment(visit: Visit, { headers, body }: RouteRequest): Promise<RouteAnswer> {
  const { allows = [] } = visit.spec;
  if (!allows.includes('comment')) throw new KontorError('NOT_FOUND');
  const type = headers['content-type'] ?? '';
  const isForm = /^multipart\/form-data\b/i.test(type) && Buffer.isBuffer(body);
  const { fields, files } = isForm ? parseMultipart(type, body) : { fields: body, files: new Map() };
  const given = [...files.values()].map(outsideFile);
  if (given.length > 0 && !allows.includes('attach')) throw new UserError('Files are not taken here.');
  await comment(visit, textOf(fields, 'body'), given);
  return seeOther(visit.path);
}

async function takeAcceptance(visit: Visit, { body }: RouteRequest): Promise<RouteAnswer> {
  const chosen = [Object(body).chosen ?? []].flat().map(Number).filter(Number.isSafeInteger);
  await accept(visit, {
    version: textOf(body, 'version'),
    name: textOf(body, 'name'),
    picture: textOf(body, 'picture'),
    chosen: chosen.slice(0, 500),
  });
  return seeOther(visit.path);
}

async function takeRefusal(visit: Visit, { body }: RouteRequest): Promise<RouteAnswer> {
  await decline(visit, textOf(body, 'reason'));
  return seeOther(visit.path);
}

/** A new link to the same address, at most a few a day; the answer is the same for every secret. */
async function renew(request: RouteRequest): Promise<RouteAnswer> {
  const visit = await byLink(request);
  if (visit?.isOver) await mailLink(visit);
  return sentPage(wordsOf(request));
}

async function mailLink({ env, recipient: to, visitor: { lang }, ...visit }: Visit): Promise<void> {
  const same = domain('portal.link', [...aboutRecord(visit), ['recipient', '=', to]]);
  if (await areMany(env, { most: 3, minutes: 24 * 60 }, same)) return;
  const href = await portalLink(env, visit, to);
  if (href === null) return;
  const { name, companyId } = await threadDetails(env, visit);
  const mail = { to, lang, companyId, isFramed: true, href, values: { name } };
  await queueMail(env, await textMail(env, newLinkMail, mail));
}

const mostListed = 50;

/** All documents of the contact and their company, by kind; a form to sign in for everybody else. */
async function showAccount(request: RouteRequest): Promise<RouteAnswer> {
  const account = await accountOf(request.env, 'session', request.cookie ?? '');
  const theirs = account && (await visitorOf(request.env, account.partner_id));
  if (!theirs) return signInPage(wordsOf(request));
  const { visitor, env } = theirs;
  const lists = [];
  for (const { name, portal } of env.registry.models.values()) {
    if (!portal) continue;
    const found = await anyModel(env, name).search([], { order: `-${portal.date}, -id`, limit: mostListed });
    const records = await anyModel(env, name).load(found, portalPaths(env.registry, name));
    if (records.length > 0) lists.push(readList(env, name, records, visitor));
  }
  return accountPage(wordsIn(env, visitor.lang, 'portal'), visitor.name, lists);
}

/** The same answer for every address. */
async function askForLink(request: RouteRequest): Promise<RouteAnswer> {
  const email = textOf(request.body, 'email').trim();
  if (isMailAddress(email)) await requestSignIn(request.env, email);
  return sentPage(wordsOf(request));
}

/** A page with a button: programs that open links in mails must not use it up. */
async function confirmSignIn(request: RouteRequest): Promise<RouteAnswer> {
  const { secret = '' } = request.params;
  const account = await accountOf(request.env, 'sign_in', secret);
  return account === null ? nothingPage(wordsOf(request)) : signInPage(wordsOf(request), `/portal/in/${secret}`);
}

async function finishSignIn(request: RouteRequest): Promise<RouteAnswer> {
  const value = await signIn(request.env, request.params.secret ?? '');
  if (value === null) return nothingPage(wordsOf(request));
  return { ...seeOther('/portal'), cookie: { value, maxAgeSeconds: validMinutes.session * 60 } };
}

async function signOut({ env, cookie }: RouteRequest): Promise<RouteAnswer> {
  const account = await accountOf(env, 'session', cookie ?? '');
  if (account) await withdrawLinks(env, domain('portal.link', [['id', '=', account.id]]));
  return { ...seeOther('/portal'), cookie: { value: '', maxAgeSeconds: 0 } };
}

function textOf(body: unknown, name: string): string {
  const value: unknown = Object(body)[name];
  return typeof value === 'string' ? value : '';
}
