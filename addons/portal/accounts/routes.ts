import {
  anyModel,
  isMailAddress,
  KontorError,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
  wordsIn,
} from '@kontor/addon';
import { secretFormat } from '../links/make-link.ts';
import { accountPage, nothingPage, sentPage, signInPage } from '../pages/account-page.ts';
import { seeOther } from '../pages/layout.ts';
import { readList, type ShownList } from '../pages/read-document.ts';
import { shownPaths, visitorOf } from '../visits/visit.ts';
import { accountOf, endLink, requestSignIn, signIn } from './account.ts';

export const accountCookie = { name: 'portal_account', path: '/portal' } as const;
const inPath = `/portal/in/:secret(${secretFormat})`;
const route = (method: 'GET' | 'POST', path: string, handler: RouteSpec['handler']): RouteSpec => ({
  ...{ method, path, auth: 'none', handler, cookie: accountCookie },
});

export const accountRoutes: readonly RouteSpec[] = [
  route('GET', '/portal', showAccount),
  route('POST', '/portal/sign-in', askForLink),
  route('GET', inPath, confirmSignIn),
  route('POST', inPath, finishSignIn),
  route('POST', '/portal/sign-out', signOut),
];

const mostListed = 50;

/** All documents of the contact and their company, by kind; a form to sign in for everybody else. */
async function showAccount(request: RouteRequest): Promise<RouteAnswer> {
  const { env, cookie } = request;
  const account = cookie ? await accountOf(env, 'session', cookie) : null;
  const theirs = account && (await visitorOf(env, account.partner_id));
  if (!theirs) return signInPage(readerWords(request));
  const { visitor } = theirs;
  const lists: ShownList[] = [];
  for (const { name, portal } of env.registry.models.values()) {
    if (!portal) continue;
    const found = await anyModel(theirs.env, name).search([], { order: `-${portal.date}, -id`, limit: mostListed });
    const records = await anyModel(theirs.env, name).load(found, shownPaths(env, name));
    if (records.length > 0) lists.push(readList(theirs.env, name, records, visitor));
  }
  return accountPage(wordsIn(env, visitor.lang, 'portal'), visitor.name, lists);
}

/** The same answer for every address. */
async function askForLink(request: RouteRequest): Promise<RouteAnswer> {
  const email = textOf(request.body, 'email').trim();
  if (isMailAddress(email)) await requestSignIn(request.env, email);
  return sentPage(readerWords(request));
}

/** A page with a button: programs that open links in mails must not use it up. */
async function confirmSignIn(request: RouteRequest): Promise<RouteAnswer> {
  const { secret = '' } = request.params;
  const account = await accountOf(request.env, 'sign_in', secret);
  const words = readerWords(request);
  return account === null ? nothingPage(words) : signInPage(words, `/portal/in/${secret}`);
}

async function finishSignIn(request: RouteRequest): Promise<RouteAnswer> {
  const session = await signIn(request.env, request.params.secret ?? '');
  if (session === null) return nothingPage(readerWords(request));
  const { secret: value, maxAgeSeconds } = session;
  return { ...seeOther('/portal'), cookie: { value, maxAgeSeconds } };
}

async function signOut(request: RouteRequest): Promise<RouteAnswer> {
  checkOrigin(request);
  const account = await accountOf(request.env, 'session', request.cookie ?? '');
  if (account) await endLink(request.env, account.id);
  return { ...seeOther('/portal'), cookie: { value: '', maxAgeSeconds: 0 } };
}

/** Browsers say where a post comes from; the cookie is not sent with those of other sites either. */
export function checkOrigin({ headers }: RouteRequest): void {
  const from = headers['sec-fetch-site'] ?? 'same-origin';
  const origin = headers.origin?.replace(/^https?:\/\//, '') ?? headers.host;
  if (from !== 'same-origin' || origin !== headers.host) throw new KontorError('CSRF_INVALID');
}

export function textOf(body: unknown, name: string): string {
  const value: unknown = Object(body)[name];
  return typeof value === 'string' ? value : '';
}

/** In the first of the shipped languages that the browser prefers. */
export function readerWords({ env, headers }: RouteRequest) {
  const known: Readonly<Record<string, string>> = { de: 'de_DE', fr: 'fr_FR', ar: 'ar', en: 'en_US' };
  const accepted = headers['accept-language']?.slice(0, 200) ?? '';
  const [, code = 'en'] = /(?:^|,)\s*(de|fr|ar|en)\b/i.exec(accepted) ?? [];
  return wordsIn(env, known[code.toLowerCase()] ?? 'en_US', 'portal');
}
