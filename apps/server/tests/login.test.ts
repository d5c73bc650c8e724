import { createHook } from 'node:async_hooks';
import { sql } from '@kontor/database';
import { testAdmin } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser, type Envelope } from './browser.ts';
import { rawRequest, sendRaw, statusOf } from './raw-http.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
const good = { login: testAdmin.email, password: testAdmin.password };
const message = 'The login or password is incorrect.';
beforeAll(async () => {
  world = await startTestServer({ env: { KONTOR_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => world.close());
beforeEach(() => world.kernel.database.execute(sql`delete from sys_login_attempt`));

const post = (
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  browser: Browser = world.browser(),
) => browser.form('/web/login', fields, headers);
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('signing in', () => {
  it('AUTH-1 opens a session in svc_session and leads to next, or home', async () => {
    const page = await world.browser().get('/web/login?next=%2Fweb%3Fmodel%3Dcore.user');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('value="/web?model=core.user"');
    const plain = await post(good);
    expect([plain.status, plain.headers.get('location')]).toEqual([303, '/web/home']);
    expect(plain.headers.getSetCookie()[0]).toMatch(/^svc_session=[0-9a-f]{64}; /);
    expect((await post({ ...good, next: '/web?model=core.user' })).headers.get('location')).toBe(
      '/web?model=core.user',
    );
    expect((await post({ ...good, login: ' ADA@Example.com ' })).status).toBe(303);
    const browser = world.browser();
    const json = await browser.json('/web/login', good);
    expect(await json.json()).toEqual({
      ok: true,
      result: { csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) },
      error: null,
    });
    expect((await browser.get('/web/login?next=/web')).headers.get('location')).toBe('/web');
  });

  it('AUTH-1 the database keeps only a hash of the token', async () => {
    const browser = await world.signedIn();
    const token = browser.cookies.get('svc_session') as string;
    const rows = await world.kernel.database.query(sql`select to_jsonb(s)::text as row from sys_session s`);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it.each([
    { login: testAdmin.email, password: 'wrong' },
    { login: 'nobody@example.com', password: 'wrong' },
    { login: '', password: '' },
    { login: testAdmin.email },
    { login: 'a\0b', password: 'x' },
    { login: 'x'.repeat(300), password: 'x' },
    { login: "ada' or '1'='1", password: "' or true --" },
    { login: '%', password: '%' },
  ])('AUTH-1 a failure is 401 with one generic message: %j', async (fields) => {
    const page = await post(fields as Record<string, string>);
    expect(page.status).toBe(401);
    expect(await page.text()).toContain(message);
    expect(page.headers.getSetCookie()).toEqual([]);
    const json = await world.browser().json('/web/login', fields);
    expect([json.status, await Browser.errorOf(json)]).toEqual([
      401,
      { code: 'UNAUTHORIZED', message: expect.stringContaining(message), details: {} },
    ]);
  });

  it('AUTH-1 archived people and fields that are no texts get in nowhere', async () => {
    const { id, login, password } = await world.user('Gone Greta');
    await world.work((env) => env.model('core.user').write([id], { active: false }));
    expect((await post({ login, password })).status).toBe(401);
    expect((await world.browser().json('/web/login', { login: { a: 1 }, password: ['x'] })).status).toBe(400);
    expect((await world.browser().json('/web/login', { login: '\ud800', password: 'x' })).status).toBe(401);
  });

  it('AUTH-2 logging out ends the session, for every copy of the cookie', async () => {
    const browser = await world.signedIn();
    const copy = world.browser();
    copy.cookies.set('svc_session', browser.cookies.get('svc_session') as string);
    copy.csrf = browser.csrf;
    expect(await copy.outcome('core.user', 'search')).toBe('OK');
    const left = await browser.get('/web/logout');
    expect([left.status, left.headers.get('location')]).toEqual([303, '/web/login']);
    expect(left.headers.getSetCookie()[0]).toContain('Max-Age=0');
    expect(await copy.outcome('core.user', 'search')).toBe('401 UNAUTHORIZED');
    expect((await browser.get('/web/logout')).status).toBe(303);
  });

  it('AUTH-1 a new sign-in makes a new session and ends the old one of this browser', async () => {
    const browser = world.browser();
    browser.cookies.set('svc_session', 'a'.repeat(64));
    await browser.signIn(testAdmin.email, testAdmin.password);
    const first = browser.cookies.get('svc_session') as string;
    expect(first).not.toBe('a'.repeat(64));
    await browser.signIn(testAdmin.email, testAdmin.password);
    expect(browser.cookies.get('svc_session')).not.toBe(first);
    const old = world.browser();
    old.cookies.set('svc_session', first);
    expect((await old.get('/web/home')).headers.get('location')).toContain('/web/login');
  });
});

describe('who is not signed in', () => {
  it('AUTH-4 pages lead to the login and back; programs get 401', async () => {
    const browser = world.browser();
    const page = await browser.get('/web/home?a=1&b=2');
    expect([page.status, page.headers.get('location')]).toEqual([302, '/web/login?next=%2Fweb%2Fhome%3Fa%3D1%26b%3D2']);
    for (const path of [
      '/web/company/switch',
      '/web/user/pinned-apps',
      '/web/action/create_api_key',
      '/web/action/reset_password',
    ]) {
      expect([path, (await browser.json(path, {})).status]).toEqual([path, 401]);
      expect([path, (await browser.form(path, {})).headers.get('location')]).toEqual([
        path,
        '/web/login?next=%2Fweb%2Fhome',
      ]);
    }
    const workspace = await browser.get('/web/wc/workspace?model=core.user');
    expect([workspace.status, (await Browser.errorOf(workspace)).code]).toEqual([401, 'UNAUTHORIZED']);
    for (const cookie of [
      'svc_session=',
      'svc_session=xyz',
      `svc_session=${'0'.repeat(64)}`,
      'svc_session=%00',
      `svc_session=${"'".repeat(64)}`,
    ]) {
      expect([cookie, (await browser.call({}, { cookie })).status]).toEqual([cookie, 401]);
    }
  });

  it('AUTH-5 a session needs its token: in the header for RPC, in the form or header for posts', async () => {
    const browser = await world.signedIn();
    const other = await world.signedIn();
    const call = { model: 'core.user', method: 'search', args: [] };
    const sent = async (token: string | undefined) => {
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      if (token !== undefined) headers['x-csrf-token'] = token;
      const response = await browser.fetch('/api/rpc', { method: 'POST', body: JSON.stringify(call), headers });
      return `${response.status} ${((await response.json()) as Envelope).error?.code ?? 'OK'}`;
    };
    expect(await sent(browser.csrf)).toBe('200 OK');
    for (const wrong of [
      undefined,
      '',
      'x',
      other.csrf,
      browser.csrf.toUpperCase(),
      browser.cookies.get('svc_session'),
    ]) {
      expect(await sent(wrong)).toBe('403 CSRF_INVALID');
    }
    for (const path of [
      '/web/company/switch',
      '/web/user/pinned-apps',
      '/web/action/create_api_key',
      '/web/action/reset_password',
      '/web/module/action',
    ]) {
      expect([path, (await browser.form(path, { csrf_token: 'x' })).status]).toEqual([path, 403]);
      expect([path, (await browser.json(path, {}, { 'x-csrf-token': 'x' })).status]).toEqual([path, 403]);
    }
  });
});

describe('the lockout', () => {
  const fail = (login: string, address: string) => post({ login, password: 'wrong' }, from(address));

  it('AUTH-9 five failures of one login from one address lock the pair, whatever the spelling, for 15 minutes', async () => {
    for (const login of [
      'ada@example.com',
      ' ada@example.com',
      'ADA@example.com',
      'ada@example.com\t',
      'Ada@Example.com ',
    ]) {
      expect((await fail(login, '10.0.0.1')).status).toBe(401);
    }
    const locked = await post(good, from('10.0.0.1'));
    expect([locked.status, await locked.text()]).toEqual([401, expect.stringContaining(message)]);
    expect((await post(good, from('10.0.0.2'))).status).toBe(303);
    await world.kernel.database.execute(sql`update sys_login_attempt set at = at - interval '16 minutes'`);
    expect((await post(good, from('10.0.0.1'))).status).toBe(303);
  });

  it('AUTH-9 four failures and a success begin anew', async () => {
    for (let round = 0; round < 2; round++) {
      for (let at = 0; at < 4; at++) await fail(testAdmin.email, '10.0.0.3');
      expect((await post(good, from('10.0.0.3'))).status).toBe(303);
    }
  });

  it('AUTH-9 failures count while they are under way: a hundred at once are five tries', async () => {
    await Promise.all(Array.from({ length: 100 }, () => fail(testAdmin.email, '10.0.0.4')));
    const [row] = await world.kernel.database.query<{ count: number }>(
      sql`select count(*)::int4 as count from sys_login_attempt where address = '10.0.0.4'`,
    );
    expect(row?.count).toBe(5);
  });

  it('AUTH-9 the right password many times at once locks nobody out', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(good, from('10.0.0.5'))));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(303));
  });

  it('AUTH-9 past fifty from anywhere one try every five seconds goes through', async () => {
    await world.kernel.database.execute(sql`
      insert into sys_login_attempt (login, address, at, create_date, write_date)
      select 'ada@example.com', 'a' || n, now() - interval '1 minute', now(), now() from generate_series(1, 51) n`);
    expect((await post({ ...good, password: 'wrong' }, from('10.0.0.6'))).status).toBe(401);
    expect((await post(good, from('10.0.0.7'))).status).toBe(401);
    await world.kernel.database.execute(sql`update sys_login_attempt set at = at - interval '6 seconds'`);
    expect((await post(good, from('10.0.0.7'))).status).toBe(303);
  });

  it('AUTH-9 a forwarded address counts only from a trusted proxy', async () => {
    const direct = await startTestServer();
    try {
      for (let at = 0; at < 5; at++) {
        await direct.browser().form('/web/login', { login: testAdmin.email, password: 'wrong' }, from(`10.0.1.${at}`));
      }
      expect((await direct.browser().form('/web/login', good, from('10.0.1.99'))).status).toBe(401);
    } finally {
      await direct.close();
    }
  });

  it('AUTH-13 a login that does not exist costs the same time: one password is hashed for it too', async () => {
    let hashed = 0;
    // Hashing is the only work of a login that native code does beside the program; such work has no type of its own.
    const hook = createHook({ init: (_, type) => void (type === 'undefined' && hashed++) });
    const cost = async (login: string, password: string) => {
      hashed = 0;
      hook.enable();
      await post({ login, password }, from(`10.1.1.${login.length}`));
      hook.disable();
      return hashed;
    };
    await post({ login: 'warm@example.com', password: 'wrong' }, from('10.1.0.1'));
    expect(await cost(testAdmin.email, testAdmin.password)).toBe(1);
    expect(await cost(testAdmin.email, 'wrong')).toBe(1);
    expect(await cost('nobody@example.com', 'wrong')).toBe(1);
    const gone = await world.user('Gone');
    await world.work((env) => env.model('core.user').write([gone.id], { active: false }));
    expect(await cost(gone.login, gone.password)).toBe(1);
  });
});

describe('where next leads', () => {
  it.each([
    ['/', '/'],
    ['/web', '/web'],
    ['/web/apps?x=1#y', '/web/apps?x=1#y'],
    ['/web/../web/home', '/web/home'],
    ...[
      '//evil.example',
      '/\\evil.example',
      'http://evil.example/web',
      'https:evil.example',
      '/web/../../api/rpc',
      '/webmail',
      '/setup',
    ].map((next) => [next, '/web/home']),
    ...[
      'javascript:alert(1)',
      '/%2e%2e//evil.example',
      'web/home',
      '\t//evil.example',
      '/\t/evil.example',
      '/web\\..\\..\\x',
      ' ',
    ].map((next) => [next, '/web/home']),
  ])('AUTH-11 next %j leads to %j', async (next, location) => {
    expect((await post({ ...good, next: next as string })).headers.get('location')).toBe(location);
  });

  it('AUTH-11 a next with a line break makes no header', async () => {
    const response = await post({ ...good, next: '/web/home\r\nset-cookie: a=b' });
    expect(response.headers.getSetCookie().join()).not.toContain('a=b');
  });
});

describe('cookies and origins', () => {
  it('AUTH-12 the cookie is HttpOnly and SameSite=Lax, and Secure over TLS that a trusted proxy tells of', async () => {
    const flags = async (headers: Record<string, string>) =>
      (await post(good, headers)).headers.getSetCookie()[0] ?? '';
    expect(await flags({})).toMatch(/; HttpOnly; SameSite=Lax; Path=\/; Max-Age=604800$/);
    expect(await flags({ 'x-forwarded-proto': 'https' })).toMatch(/; Secure$/);
  });

  it('AUTH-12 an unknown proxy can say what it likes; secure_cookies decides otherwise', async () => {
    const direct = await startTestServer();
    const always = await startTestServer({ env: { KONTOR_SECURE_COOKIES: 'true' } });
    try {
      const told = await direct.browser().form('/web/login', good, { 'x-forwarded-proto': 'https' });
      expect(told.headers.getSetCookie()[0]).not.toContain('Secure');
      expect((await always.browser().form('/web/login', good)).headers.getSetCookie()[0]).toContain('; Secure');
    } finally {
      await direct.close();
      await always.close();
    }
  });

  it('AUTH-14 a cross-origin login is refused', async () => {
    const body = new URLSearchParams(good).toString();
    const send = async (headers: Record<string, string>) => {
      const host = { host: `127.0.0.1:${world.port}`, 'content-type': 'application/x-www-form-urlencoded' };
      return statusOf(await sendRaw(world.port, rawRequest('POST /web/login', { ...host, ...headers }, body)));
    };
    const own = `http://127.0.0.1:${world.port}`;
    expect(await send({ origin: own })).toBe(303);
    for (const origin of [
      'http://evil.example',
      'null',
      'http://127.0.0.1:1',
      `${own}.evil.example`,
      'nonsense',
      'file://',
    ]) {
      expect([origin, await send({ origin })]).toEqual([origin, 403]);
    }
    const proxied = { 'x-forwarded-host': 'kontor.example.com', 'x-forwarded-proto': 'https' };
    expect(await send({ ...proxied, origin: 'https://kontor.example.com' })).toBe(303);
    expect(await send({ ...proxied, origin: 'http://kontor.example.com' })).toBe(403);
    expect(await send({ ...proxied, origin: own })).toBe(403);
  });
});
