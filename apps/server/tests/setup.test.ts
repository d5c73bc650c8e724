import { sql } from '@kontor/database';
import { long } from '@kontor/testing/long';
import { afterEach, describe, expect, it } from 'vitest';
import { neededSetupToken } from '../guards/setup-right.ts';
import { installAtStart } from '../serve.ts';
import { Browser } from './browser.ts';
import { rawRequest, sendRaw, statusOf } from './raw-http.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

let world: TestServer;
afterEach(() => world?.close());

const form = {
  company_name: 'Nordlicht',
  admin_name: 'Ada Lindqvist',
  email: 'Ada@Example.com',
  password: 'correct horse battery',
};
const open = async (options: TestServerOptions = {}) => {
  world = await startTestServer({ isSetUp: false, ...options });
  return world.browser();
};
const users = async () => (await world.kernel.database.query(sql`select id from core_user`)).length;

describe('before the setup', () => {
  it('SET-1 pages lead to /setup, health answers, programs get 503', async () => {
    const browser = await open();
    for (const path of [
      '/',
      '/web',
      '/web/home',
      '/web/login',
      '/web?x=1',
      '/web/logout',
      '/web/apps',
      '/web/nothing/here',
    ]) {
      const response = await browser.get(path);
      expect([path, response.status, response.headers.get('location')]).toEqual([path, 302, '/setup']);
    }
    expect((await browser.form('/web/login', { login: 'a', password: 'b' })).headers.get('location')).toBe('/setup');
    expect(await (await browser.get('/api/health')).json()).toEqual({ ok: true });
    const rpc = await browser.call({ model: 'core.user', method: 'search', args: [] });
    expect([rpc.status, rpc.error?.code]).toEqual([503, 'NOT_INITIALISED']);
    for (const path of ['/web/wc/workspace', '/metrics']) {
      const response = await browser.get(path);
      expect([path, response.status, (await Browser.errorOf(response)).code]).toEqual([path, 503, 'NOT_INITIALISED']);
    }
    expect((await browser.json('/web/login', { login: 'a', password: 'b' })).status).toBe(503);
    // The bus is for WebSockets alone, also now.
    expect((await browser.get('/web/wc/bus')).status).toBe(404);
    const page = await browser.get('/setup');
    expect(page.status).toBe(200);
    const html = await page.text();
    for (const name of [...Object.keys(form), 'lang']) expect(html).toContain(`name="${name}"`);
    expect(html).not.toContain('<script');
  });

  long('SET-2 SET-6 a form sets Kontor up, signs its sender in and leads home; the e-mail is the login', async () => {
    const browser = await open();
    const done = await browser.form('/setup/init', { ...form, country: 'CH', lang: '' });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/web/home']);
    expect((await browser.get('/web/home')).status).toBe(200);
    const admin = await world.signedIn('ada@example.com', form.password);
    const place = { lang: 'de_CH', tz: 'Europe/Zurich' };
    expect(await admin.rpc('core.user', 'search_read', [[], ['name', 'login', 'email', 'lang', 'tz']])).toEqual([
      { id: 1, name: 'Ada Lindqvist', login: 'ada@example.com', email: 'ada@example.com', ...place },
    ]);
    const paths = ['name', 'country_id.code', 'currency_id.name', 'lang', 'tz'];
    expect(await admin.rpc('core.company', 'search_read', [[], paths])).toEqual([
      { id: 1, name: 'Nordlicht', 'country_id.code': 'CH', 'currency_id.name': 'CHF', ...place },
    ]);
    const currency = [[['name', '=', 'CHF']], ['active']];
    expect(await admin.rpc('core.currency', 'search_read', currency)).toMatchObject([{ active: true }]);
    const uid = await admin.rpc('core.user', 'create', [{ name: 'Ben', login: 'ben', password: form.password }]);
    expect(await admin.rpc('core.user', 'read', [[uid], ['lang', 'tz']])).toEqual([{ id: uid, ...place }]);
  });

  long(
    'SET-6 demonstration data that were asked for at the start, before there is a company, come with the setup',
    async () => {
      const browser = await open();
      await installAtStart(world.kernel, ['contacts'], true);
      const contacts = () => world.kernel.database.query(sql`select id from core_partner`);
      const before = (await contacts()).length;
      expect((await browser.form('/setup/init', { ...form, lang: '' })).status).toBe(303);
      expect((await contacts()).length).toBeGreaterThan(before + 10);
    },
  );

  it('ADM-6 offers shipped languages in all regions, uses the chosen one, and takes the clock from the country', async () => {
    const browser = await open();
    const page = await (await browser.get('/setup')).text();
    const offered = [...page.matchAll(/<option value="([a-z]{2,3}_[A-Z]{2})"/g)].map(([, code]) => code);
    expect(offered).toEqual(expect.arrayContaining(['en_GB', 'en_US', 'en_IE', 'de_AT', 'de_CH', 'fr_BE', 'ar_EG']));
    expect(offered).not.toContain('it_IT');
    await browser.form('/setup/init', { ...form, country: 'IN', lang: '' });
    const admin = await world.signedIn('ada@example.com', form.password);
    expect(await admin.rpc('core.user', 'search_read', [[], ['lang']])).toMatchObject([{ lang: 'en_IN' }]);
    const used = [[['code', '=', 'en_IN']], ['active']];
    expect(await admin.rpc('core.lang', 'search_read', used)).toMatchObject([{ active: true }]);
    const clock = async () => /"hourCycle":"(h\d+)"/.exec(await (await admin.get('/web/home')).text())?.[1];
    expect(await clock()).toBe('h12');
    const [germany] = await admin.rpc<{ id: number }[]>('core.country', 'search', [[['code', '=', 'DE']]]);
    await admin.rpc('core.company', 'write', [[1], { country_id: germany?.id }]);
    expect(await clock()).toBe('h23');
  });

  long('SET-2 SET-3 JSON gets JSON; afterwards the setup is gone and / leads home', async () => {
    const browser = await open();
    const done = await browser.json('/setup/init', { ...form, lang: 'de_DE' });
    expect([done.status, await done.json()]).toEqual([200, { ok: true, redirect: '/web/login' }]);
    for (const response of [
      await browser.get('/setup'),
      await browser.form('/setup/init', form),
      await browser.json('/setup/init', form),
    ]) {
      expect(response.status).toBe(404);
    }
    const home = await browser.get('/');
    expect([home.status, home.headers.get('location')]).toEqual([302, '/web/home']);
    expect((await browser.get('/web/home')).headers.get('location')).toBe('/web/login?next=%2Fweb%2Fhome');
    expect(await users()).toBe(1);
  });

  it('SET-2 bad input names every bad field, keeps what was typed, and writes nothing', async () => {
    const browser = await open();
    const bad = {
      company_name: ' ',
      email: 'nobody',
      password: 'short',
      lang: 'xx_XX',
      country: 'XX',
      apps: 'nothing,base',
      demo: 'maybe',
    };
    const refused = await browser.json('/setup/init', bad);
    expect(refused.status).toBe(422);
    const error = await Browser.errorOf(refused);
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(Object.keys(error.details.fields as object).sort()).toEqual([
      'admin_name',
      'apps',
      'company_name',
      'country',
      'demo',
      'email',
      'lang',
      'password',
    ]);
    const page = await browser.form('/setup/init', { ...form, password: 'short' });
    expect(page.status).toBe(422);
    const html = await page.text();
    expect(html).toContain('value="Nordlicht"');
    expect(html).toContain('8 to 128 characters');
    expect(html).not.toContain('value="short"');
    for (const values of [
      { ...form, password: 'x'.repeat(129) },
      { ...form, admin_name: 'a\0b' },
      { ...form, company_name: 7 },
      { ...form, company_name: 'half \ud800' },
      { ...form, apps: [7] },
    ]) {
      expect((await browser.json('/setup/init', values)).status).toBe(422);
    }
    expect((await browser.json('/setup/init', [])).status).toBe(400);
    expect(
      (await browser.fetch('/setup/init', { method: 'POST', body: '<x/>', headers: { 'content-type': 'text/xml' } }))
        .status,
    ).toBe(415);
    expect(await users()).toBe(0);
  });

  it('SET-4 two at once: one succeeds, one gets 409', async () => {
    const browser = await open();
    const answers = await Promise.all(Array.from({ length: 4 }, () => browser.json('/setup/init', form)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409) as Response;
    expect((await Browser.errorOf(refused)).code).toBe('CONFLICT');
    expect(await users()).toBe(1);
  });
});

describe('who may set up', () => {
  const json = JSON.stringify(form);
  const post = (headers: Record<string, string>) =>
    sendRaw(
      world.port,
      rawRequest(
        'POST /setup/init',
        { host: `127.0.0.1:${world.port}`, 'content-type': 'application/json', ...headers },
        json,
      ),
    ).then(statusOf);

  it('SET-5 without a token only a direct client of this machine', async () => {
    const browser = await open();
    expect(await (await browser.get('/setup')).text()).not.toContain('name="setup_token"');
    for (const header of [
      'x-forwarded-for',
      'forwarded',
      'x-real-ip',
      'via',
      'x-forwarded-host',
      'x-forwarded-proto',
    ]) {
      expect([header, await post({ [header]: '127.0.0.1' })]).toEqual([header, 403]);
    }
    for (const host of [
      'kontor.example.com',
      '127.0.0.1.evil.example',
      'localhost.evil.example:8080',
      '0.0.0.0',
      '[::1].evil.example',
    ]) {
      expect([host, await post({ host })]).toEqual([host, 403]);
    }
    for (const origin of [
      'http://evil.example',
      'null',
      'http://localhost:1',
      `https://127.0.0.1:${world.port + 1}`,
      'garbage',
    ]) {
      expect([origin, await post({ origin })]).toEqual([origin, 403]);
    }
    expect(await users()).toBe(0);
    expect(await post({ host: `localhost:${world.port}`, origin: `http://localhost:${world.port}` })).toBe(200);
  });

  long('SET-5 with a token only its holder, by field or header, from anywhere', async () => {
    const browser = await open({ env: { KONTOR_SETUP_TOKEN: 'open sesame' } });
    expect((await browser.json('/setup/init', form)).status).toBe(403);
    expect((await browser.json('/setup/init', { ...form, setup_token: 'open says me' })).status).toBe(403);
    expect(await (await browser.get('/setup')).text()).toContain('name="setup_token"');
    expect(
      await post({ host: 'kontor.example.com', 'x-setup-token': 'open sesame', origin: 'http://evil.example' }),
    ).toBe(403);
    expect(await users()).toBe(0);
    expect(await post({ host: 'kontor.example.com', 'x-setup-token': 'open sesame' })).toBe(200);
  });

  it.each([
    ['behind a proxy', { KONTOR_TRUSTED_PROXIES: '127.0.0.1' }],
    ['on every interface', { KONTOR_HTTP_INTERFACE: '0.0.0.0' }],
  ])('SET-5 %s the token that the first start made is asked for, of somebody on this machine too', async (_, env) => {
    const browser = await open({ env });
    expect((await browser.json('/setup/init', form)).status).toBe(403);
    const local = `localhost:${world.port}`;
    expect(await post({ host: local, origin: `http://${local}` })).toBe(403);
    const token = await neededSetupToken(world.kernel);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(await neededSetupToken(await world.another())).toBe(token);
    const page = await (await browser.get(`/setup?token=${token}`)).text();
    expect(page).toContain(`value="${token}"`);
    expect(await (await browser.get('/setup')).text()).not.toContain(token);
    expect((await browser.json('/setup/init', { ...form, setup_token: `${token}x` })).status).toBe(403);
    expect((await browser.json('/setup/init', { ...form, setup_token: token })).status).toBe(200);
    const kept = await world.kernel.database.query(sql`select 1 as x from sys_config_parameter where value = ${token}`);
    expect(kept).toEqual([]);
    expect(world.log.join('')).not.toContain(token);
  });
});
