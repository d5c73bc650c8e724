import { installModules } from '@kontor/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { rawRequest, sendRaw, statusOf } from './raw-http.ts';
import { testAddons } from './shop.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer({ addonsPath: [testAddons] });
  admin = await world.signedIn();
});
afterAll(() => world.close());

/** Every path of the interface that this server has, with the verbs it declares. */
const paths: Record<string, string> = {
  '/': 'GET',
  '/api/health': 'GET',
  '/api/health/ready': 'GET',
  '/api/rpc': 'POST',
  '/setup': 'GET',
  '/setup/init': 'POST',
  '/metrics': 'GET',
  '/web': 'GET',
  '/web/login': 'GET, POST',
  '/web/logout': 'GET',
  '/web/home': 'GET',
  '/web/apps': 'GET',
  '/web/settings': 'GET',
  '/web/settings/app-logs': 'GET',
  '/web/module/action': 'POST',
  '/web/user/pinned-apps': 'POST',
  '/web/action/reset_password': 'POST',
  '/web/action/create_api_key': 'POST',
  '/web/reset-password': 'GET, POST',
  '/web/company/switch': 'POST',
  '/web/wc/workspace': 'GET',
};
const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK', 'QUERY'];

describe('routes', () => {
  it('RTE-1 health answers ok to anybody', async () => {
    for (const path of ['/api/health', '/api/health/ready']) {
      const response = await world.browser().get(path);
      expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
      expect(response.headers.get('content-type')).toContain('application/json');
    }
  });

  it('RTE-11 HEAD is answered like GET, without a body', async () => {
    for (const path of ['/api/health', '/api/health/ready', '/web/login', '/web/home', '/metrics', '/nothing']) {
      const [head, get] = [await admin.fetch(path, { method: 'HEAD' }), await admin.get(path)];
      expect([path, head.status, head.headers.get('content-type')]).toEqual([
        path,
        get.status,
        get.headers.get('content-type'),
      ]);
      expect([path, await head.text()]).toEqual([path, '']);
    }
  });

  it.each(Object.entries(paths))('RTE-6 %s is served with %s only', async (path, allowed) => {
    for (const verb of verbs) {
      // HEAD goes wherever GET does.
      if (allowed.split(', ').includes(verb === 'HEAD' ? 'GET' : verb)) continue;
      const answer = await sendRaw(world.port, rawRequest(`${verb} ${path}`, { host: 'x' }));
      expect([verb, path, statusOf(answer)]).toEqual([verb, path, 405]);
      expect(/^allow: (.*)$/im.exec(answer)?.[1]).toBe(allowed);
      if (verb !== 'HEAD' && path.startsWith('/api')) expect(answer).toContain('"code":"METHOD_NOT_ALLOWED"');
    }
  });

  it.each([
    ['GET', '/web/rel/search'],
    ['POST', '/web/record/save'],
    ['POST', '/web/record/delete'],
    ['POST', '/web/kanban/move'],
    ['POST', '/web/action/object'],
  ])('RTE-5 %s %s is not registered', async (method, path) => {
    expect((await admin.fetch(path, { method })).status).toBe(404);
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/xml',
    ]) {
      const sent = method === 'POST' ? { body: 'x', headers: { 'content-type': type } } : {};
      expect([type, (await admin.fetch(path, { method, ...sent })).status]).toEqual([type, 404]);
    }
  });

  it.each([
    '/web/',
    '/api/rpc/',
    '/API/RPC',
    '/api',
    '/api/',
    '/api//rpc',
    '/nothing',
    '/web/login/x',
    '/%2e%2e/etc/passwd',
  ])('RTE-5 %s is nothing', async (path) => {
    const answer = await sendRaw(world.port, rawRequest(`GET ${path}`, { host: 'x', accept: 'application/json' }));
    expect([path, statusOf(answer)]).toEqual([path, 404]);
    expect(answer).toContain('"code":"NOT_FOUND"');
  });

  it('RTE-6 an address that cannot be read is 400', async () => {
    for (const path of ['/web/%zz', '/%', '/api/%E0%A4%A']) {
      const answer = await sendRaw(world.port, rawRequest(`GET ${path}`, { host: 'x', accept: 'application/json' }));
      expect([path, statusOf(answer)]).toEqual([path, 400]);
      expect(answer.toLowerCase()).toContain('content-security-policy');
    }
  });

  it('RTE-7 pages escape what they show, and their styles and the script of passkeys carry the nonce', async () => {
    const page = await world.browser().form('/web/login', { login: '"><script>alert(1)</script>', password: 'x' });
    const html = await page.text();
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1];
    expect(html).toContain(`<style nonce="${nonce}">`);
    const scripts = html.match(/<script[^>]*>/g);
    expect(scripts).toEqual([`<script type="module" nonce="${nonce}" src="/web/static/page-passkey.js">`]);
  });
});

describe('company and pinned apps', () => {
  it('RTE-2 the active company of this session changes, and of no other', async () => {
    const currency = await world.work((env) => env.ref('base.EUR'));
    const other = await admin.rpc<number>('core.company', 'create', [{ name: 'Südlicht', currency_id: currency }]);
    const closed = await admin.rpc<number>('core.company', 'create', [{ name: 'Fremdlicht', currency_id: currency }]);
    const { id, login, password } = await world.user('Two Tina', ['base.group_user'], {
      company_ids: [['set', [world.admin.companyId, other]]],
    });
    const [here, there] = [await world.signedIn(login, password), await world.signedIn(login, password)];
    const mark = async (browser: Browser) => {
      const made = await browser
        .rpc<number>('core.partner', 'create', [{ name: 'x', company_id: other }])
        .catch(() => null);
      return made !== null;
    };
    expect(await mark(here)).toBe(false);
    const done = await here.form('/web/company/switch', { company_id: String(other), next: '/web?model=core.partner' });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/web?model=core.partner']);
    expect([await mark(here), await mark(there)]).toEqual([true, false]);
    const json = await there.json('/web/company/switch', { company_id: other });
    expect(await json.json()).toEqual({ ok: true, result: { company_id: other }, error: null });
    for (const [company, status] of [
      [closed, 403],
      [999_999, 403],
      ['x', 400],
      ['', 400],
    ] as const) {
      expect([company, (await here.form('/web/company/switch', { company_id: String(company) })).status]).toEqual([
        company,
        status,
      ]);
    }
    await admin.rpc('core.user', 'write', [[id], { company_ids: [['unlink', other]] }]);
    expect(await mark(here)).toBe(false);
  });

  it('RTE-3 keeps the pinned apps in order, without unknown and repeated names', async () => {
    await world.kernel.changeModules((context) => installModules(context, ['shop']));
    const { browser, id } = await world.user('Pinning Pam');
    const pin = (body: unknown) => browser.json('/web/user/pinned-apps', body);
    const kept = await pin({ modules: ['shop', 'nothing', 'base', 'shop', 'counter'] });
    expect([kept.status, await kept.json()]).toEqual([
      200,
      { ok: true, result: { modules: ['shop', 'base'] }, error: null },
    ]);
    expect(await browser.rpc('core.user', 'read', [[id], ['pinned_apps']])).toEqual([
      { id, pinned_apps: ['shop', 'base'] },
    ]);
    expect(await (await pin({ modules: [] })).json()).toMatchObject({ result: { modules: [] } });
    for (const body of [{}, { modules: 'shop' }, { modules: [7] }, { modules: null }, [], 7]) {
      expect([body, (await pin(body)).status]).toEqual([body, 400]);
    }
  });
});
