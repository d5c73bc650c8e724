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
import { accountPage, type ListedModel, nothingPage, sentPage, signInPage } from '../pages/account-page.ts';
import { seeOther } from '../pages/layout.ts';
import { labelsOf, listRow } from '../pages/read-document.ts';
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
async function showAccount({ env, cookie, headers }: RouteRequest): Promise<RouteAnswer> {
  const account = cookie ? await accountOf(env, 'session', cookie) : null;
  const theirs = account && (await visitorOf(env, account.partner_id));
  const lang = languageOf(headers['accept-language']);
  if (!theirs) return signInPage(wordsIn(env, lang, 'portal').say, lang);
  const { visitor } = theirs;
  const models: ListedModel[] = [];
  for (const { name, portal } of env.registry.models.values()) {
    if (!portal) continue;
    const found = await anyModel(theirs.env, name).search([], { order: `-${portal.date}, -id`, limit: mostListed });
    const records = await anyModel(theirs.env, name).load(found, shownPaths(env, name));
    const rows = records.map((record) => listRow(theirs.env, name, record, visitor));
    if (rows.length > 0) models.push({ label: labelsOf(env, name, visitor.lang), rows });
  }
  return accountPage(wordsIn(env, visitor.lang, 'portal').say, visitor, models);
}

/** The same answer for every address. */
async function askForLink({ env, body, headers }: RouteRequest): Promise<RouteAnswer> {
  const email = textOf(body, 'email').trim();
  if (isMailAddress(email)) await requestSignIn(env, email);
  const lang = languageOf(headers['accept-language']);
  return sentPage(wordsIn(env, lang, 'portal').say, lang);
}

/** A page with a button: programs that open links in mails must not use it up. */
async function confirmSignIn({ env, params, headers }: RouteRequest): Promise<RouteAnswer> {
  const lang = languageOf(headers['accept-language']);
  const { say } = wordsIn(env, lang, 'portal');
  const account = await accountOf(env, 'sign_in', params.secret ?? '');
  return account === null ? nothingPage(say, lang) : signInPage(say, lang, `/portal/in/${params.secret}`);
}

async function finishSignIn({ env, params, headers }: RouteRequest): Promise<RouteAnswer> {
  const session = await signIn(env, params.secret ?? '');
  const lang = languageOf(headers['accept-language']);
  if (session === null) return nothingPage(wordsIn(env, lang, 'portal').say, lang);
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

/** The first of the shipped languages that the browser prefers. */
export function languageOf(accepted = ''): string {
  const known: Readonly<Record<string, string>> = { de: 'de_DE', fr: 'fr_FR', ar: 'ar', en: 'en_US' };
  const [, code = 'en'] = /(?:^|,)\s*(de|fr|ar|en)\b/i.exec(accepted.slice(0, 200)) ?? [];
  return known[code.toLowerCase()] ?? 'en_US';
}
