import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from '@kontor/database';
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer } from './test-server.ts';

interface Account {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
}

const clientId = 'kontor';
const clientSecret = 'a secret that only the two of them know';
const accounts = new Map<string, Account>();
/** Who sits at the provider's own sign-in page. */
let present = '';

/** A certified provider on this machine, which lets in whoever is present. */
function openProvider(issuer: string, redirect: string): Provider {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  const provider: Provider = new Provider(issuer, {
    jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['for the cookies of a test'] },
    clients: [
      {
        ...{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirect] },
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => accounts.get(id) }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: async (context: { oidc: { session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId, accountId: context.oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  return provider;
}

let world: TestServer;
let admin: Browser;
let http: Server;
let issuer: string;
let provider: Provider | null = null;

beforeAll(async () => {
  http = createServer((request, response) => {
    if (!provider) return void response.writeHead(503).end();
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response);
    const result = present === '' ? { error: 'access_denied' } : { login: { accountId: present } };
    void provider.interactionFinished(request, response, result);
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  world = await startTestServer({
    env: {
      KONTOR_OIDC_ISSUER: issuer,
      KONTOR_OIDC_CLIENT_ID: clientId,
      KONTOR_OIDC_CLIENT_SECRET: clientSecret,
      KONTOR_OIDC_LABEL: 'Nordlicht ID',
      KONTOR_OIDC_CREATE: 'true',
    },
  });
  admin = await world.signedIn();
});
afterAll(async () => {
  await world.close();
  http.closeAllConnections();
  await new Promise((done) => http.close(done));
});

function account(id: string, values: Partial<Account> = {}): string {
  accounts.set(id, { sub: id, email: `${id}@example.com`, email_verified: true, name: id, ...values });
  return id;
}

/** As far as the address that the provider sends the browser back to. */
async function atProvider(
  browser: Browser,
  who: string,
  next = '',
): Promise<{ readonly asked: URL; readonly back: string }> {
  present = who;
  const begun = await browser.get(`/web/login/oidc${next === '' ? '' : `?next=${encodeURIComponent(next)}`}`);
  const asked = new URL(begun.headers.get('location') ?? '', world.url);
  const there = new Browser(issuer);
  let path = asked.pathname + asked.search;
  for (let hops = 0; hops < 6; hops++) {
    const answer = await there.get(path);
    const to = new URL(answer.headers.get('location') ?? '', issuer);
    if (to.origin !== issuer) return { asked, back: to.pathname + to.search };
    path = to.pathname + to.search;
  }
  throw new Error('The provider leads nowhere.');
}

/** The whole way; gives where it ends, and what the sign-in page then says. */
async function signIn(
  browser: Browser,
  who: string,
  next = '',
): Promise<{ readonly to: string | null; readonly said: string }> {
  const { back } = await atProvider(browser, who, next);
  const end = await browser.get(back);
  const to = end.headers.get('location');
  const said = to === '/web/login' ? await (await browser.get(to)).text() : '';
  return { to, said };
}

describe('signing in at a provider', () => {
  it('FAC-15 says so while it cannot be reached, and asks it again', async () => {
    const browser = world.browser();
    const answer = await browser.get('/web/login/oidc');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/web/login']);
    const page = await (await browser.get('/web/login')).text();
    expect(page).toContain('The provider cannot be reached.');
    expect(page).toContain('Sign in with Nordlicht ID');
    provider = openProvider(issuer, `${world.url}/web/login/oidc/callback`);
  });

  it('FAC-15 lets in who has the verified address, with PKCE, state and nonce, and asks for no other factor', async () => {
    const group = await admin.rpc('core.group', 'create', [
      { name: 'Strict', key: 'test.strict', requires_factor: true },
    ]);
    const { id } = await world.user('Olivia Ott', undefined, { email: 'Olivia@Example.com' });
    await admin.rpc('core.user', 'write', [[id], { group_ids: [['link', group]] }]);
    const browser = world.browser();
    const { asked, back } = await atProvider(browser, account('olivia'), '/web/profile');
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      ...{ response_type: 'code', code_challenge_method: 'S256', scope: 'openid email profile' },
      ...{ state: expect.stringMatching(/.{20}/), nonce: expect.stringMatching(/.{20}/) },
    });
    const end = await browser.get(back);
    expect([end.status, end.headers.get('location')]).toEqual([303, '/web/profile']);
    expect(await (await browser.get('/web/profile', { accept: 'application/json' })).text()).toContain(
      '"login":"olivia.ott@example.com"',
    );
    const [entry] = await world.kernel.database.query<{ values: string }>(sql`
      select values::text as values from sys_audit where kind = 'sign_in' and uid = ${id} order by id desc limit 1`);
    expect(JSON.parse(entry?.values ?? '')).toEqual({ method: 'oidc' });
    accounts.set('olivia', { sub: 'olivia', email: 'married@example.com', email_verified: true, name: 'Olivia' });
    expect((await signIn(world.browser(), 'olivia')).to).toBe('/web/home');
  });

  it('FAC-16 a code is good once, in the browser that began, and with its state', async () => {
    await world.user('Carl', undefined, { email: 'carl@example.com' });
    const browser = world.browser();
    const { back } = await atProvider(browser, account('carl'));
    expect((await world.browser().get(back)).headers.get('location')).toBe('/web/login');
    const forged = world.browser();
    await atProvider(forged, 'carl');
    expect((await forged.get(back)).headers.get('location')).toBe('/web/login');
    expect((await browser.get(back)).headers.get('location')).toBe('/web/home');
    expect((await browser.get(back)).headers.get('location')).toBe('/web/login');
  });

  it('FAC-16 no unverified address, no archived person, none that several have, and none of another subject', async () => {
    const { id } = await world.user('Vera', undefined, { email: 'vera@example.com' });
    const unverified = await signIn(world.browser(), account('vera', { email_verified: false }));
    expect(unverified.said).toContain('has not verified your e-mail address');
    account('vera');
    expect((await signIn(world.browser(), 'vera')).to).toBe('/web/home');
    const other = await signIn(world.browser(), account('eve', { email: 'vera@example.com' }));
    expect(other.said).toContain('There is no account here for vera@example.com.');
    await admin.rpc('core.user', 'write', [[id], { active: false }]);
    expect((await signIn(world.browser(), 'vera')).said).toContain('There is no account here');
    for (const name of ['Twin A', 'Twin B']) await world.user(name, undefined, { email: 'twin@example.com' });
    expect((await signIn(world.browser(), account('twin'))).said).toContain('There is no account here');
    expect((await signIn(world.browser(), '')).said).toContain('The provider did not sign you in.');
    const [failed] = await world.kernel.database.query<{ count: number }>(sql`
      select count(*)::int4 as count from sys_audit where kind = 'sign_in_failed' and values->>'method' = 'oidc'`);
    expect(failed?.count).toBe(1);
    expect(world.log.join()).not.toContain(clientSecret);
  });

  it('FAC-15 an address that people gave themselves, or that Unicode folds to a login, links nobody', async () => {
    const mallory = await world.user('Mallory');
    await mallory.browser.rpc('core.user', 'write', [[mallory.id], { email: 'ceo@example.com' }]);
    expect((await signIn(world.browser(), account('ceo'))).said).toContain('There is no account here');
    await admin.rpc('core.user', 'write', [[mallory.id], { email: 'Ceo@Example.com' }]);
    expect((await signIn(world.browser(), 'ceo')).to).toBe('/web/home');
    await world.user('Kim', undefined, { email: null });
    const kelvin = await signIn(world.browser(), account('kelvin', { email: '\u212Aim@example.com' }));
    expect(kelvin.said).toContain('There is no account here');
    expect((await signIn(world.browser(), account('kim', { email: 'KIM@example.com' }))).to).toBe('/web/home');
  });

  it('FAC-17 makes who is unknown in the configured group, without a password', async () => {
    const browser = world.browser();
    expect((await signIn(browser, account('newman', { name: 'Nils Newman' }))).to).toBe('/web/home');
    const [made] = await admin.rpc<Record<string, unknown>[]>('core.user', 'search_read', [
      [['login', '=', 'newman@example.com']],
      ['name', 'email', 'oidc_only', { group_ids: ['key'] }],
    ]);
    expect(made).toMatchObject({ name: 'Nils Newman', email: 'newman@example.com', oidc_only: true });
    expect(JSON.stringify(made?.group_ids)).toContain('base.group_user');
    expect(await admin.outcome('core.user', 'search_read', [[], ['oidc_subject']])).not.toBe('OK');
  });

  it('FAC-18 the password of who signs in at the provider only is refused as a wrong one is', async () => {
    const { id, login, password } = await world.user('Petra');
    const attempt = async () => {
      const answer = await world.browser().json('/web/login', { login, password });
      return answer.ok ? 'OK' : (await Browser.errorOf(answer)).message;
    };
    expect(await attempt()).toBe('OK');
    await admin.rpc('core.user', 'write', [[id], { oidc_only: true }]);
    const wrong = await Browser.errorOf(await world.browser().json('/web/login', { login: 'nobody', password: 'x' }));
    expect(await attempt()).toBe(wrong.message);
  });
});
