import { activateModule, deactivateModule, installModules, uninstallModule } from '@kontor/kernel';
import { createApiKey } from '@kontor/parts';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { testAddons } from './shop.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer({ addonsPath: [testAddons], modules: ['counter'] });
  admin = await world.signedIn();
});
afterAll(() => world.close());

const keyOf = async (userId: number, scope: Record<string, string[]> | null = null) =>
  Browser.withKey(
    world.url,
    (await world.work((env) => createApiKey(env, { userId, name: 'k', expiresAt: null, scope }))).secret,
  );

describe('addon routes', () => {
  it('RTE-8 answer with text, bytes or JSON, with their own status and headers', async () => {
    const nobody = world.browser();
    const echo = await nobody.get('/counter/echo/h%C3%A9?a=1&a=2&b=');
    expect([echo.status, await echo.json()]).toEqual([200, { word: 'hé', query: { a: ['1', '2'], b: '' } }]);
    const text = await nobody.get('/counter/text');
    expect([text.status, await text.text(), text.headers.get('x-own'), text.headers.get('content-type')]).toEqual([
      202,
      'plain',
      '1',
      'text/plain; charset=utf-8',
    ]);
    const bytes = await nobody.get('/counter/bytes');
    expect([...new Uint8Array(await bytes.arrayBuffer())]).toEqual([1, 2, 3]);
    expect((await nobody.fetch('/counter/nothing', { method: 'POST' })).status).toBe(204);
    expect(text.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('RTE-8 get bodies parsed by their type', async () => {
    const send = async (body: string | Uint8Array, type: string, more = {}) => {
      const response = await world
        .browser()
        .fetch('/counter/body', { method: 'POST', body, headers: { 'content-type': type, ...more } });
      return response.ok ? await response.json() : `${response.status} ${(await Browser.errorOf(response)).code}`;
    };
    expect(await send('{"a":[1]}', 'application/json')).toMatchObject({ body: { a: [1] } });
    expect(await send('a=1&b=x+y', 'application/x-www-form-urlencoded')).toMatchObject({ body: { a: '1', b: 'x y' } });
    expect(await send('hello', 'text/csv', { authorization: 'Signature abc' })).toMatchObject({
      body: 'hello',
      hook: 'Signature abc',
    });
    expect(await send('{"a":1,"a":2}', 'application/json', { accept: 'application/json' })).toBe('400 INVALID_JSON');
    expect(await send('x'.repeat(4_000_001), 'text/plain', { accept: 'application/json' })).toBe(
      '413 PAYLOAD_TOO_LARGE',
    );
    expect(await send(new Uint8Array([255]), 'application/pdf')).toMatchObject({ type: 'application/pdf' });
  });

  it('RTE-8 public ones act for nobody', async () => {
    const peek = await admin.get('/counter/peek', { accept: 'application/json' });
    expect([peek.status, (await Browser.errorOf(peek)).code]).toEqual([403, 'ACCESS_DENIED']);
  });

  it('RTE-8 session ones act for the signed-in person, and need their token to change anything', async () => {
    const anonymous = world.browser();
    expect((await anonymous.get('/counter/names')).headers.get('location')).toBe('/web/login?next=%2Fcounter%2Fnames');
    expect((await anonymous.get('/counter/names', { accept: 'application/json' })).status).toBe(401);
    expect((await (await keyOf(1)).get('/counter/names', { accept: 'application/json' })).status).toBe(401);
    const made = await admin.json('/counter/names', { name: 'made by a route' });
    expect(made.status).toBe(201);
    expect(made.headers.get('x-change-set')).toMatch(/^\d+$/);
    expect(await (await admin.get('/counter/names')).json()).toMatchObject({
      uid: 1,
      names: [{ name: 'made by a route' }],
    });
    expect((await admin.form('/counter/names', { name: 'by a form' })).status).toBe(201);
    for (const token of ['', 'x']) {
      expect((await admin.json('/counter/names', { name: 'forged' }, { 'x-csrf-token': token })).status).toBe(403);
    }
    expect((await admin.form('/counter/names', { name: 'forged', csrf_token: 'x' })).status).toBe(403);
    const portal = await world.user('Portal Pia', ['base.group_portal']);
    expect((await portal.browser.json('/counter/names', { name: 'no' })).status).toBe(403);
  });

  it('RTE-8 are one transaction: an error takes everything back, and gets the envelope', async () => {
    const failed = await admin.json('/counter/names', { name: 'taken back', fail: 'yes' });
    expect([failed.status, await Browser.errorOf(failed)]).toEqual([
      422,
      { code: 'USER_ERROR', message: 'Taken back.', details: {} },
    ]);
    expect(await (await admin.get('/counter/names')).text()).not.toContain('taken back');
    const crashed = await world.browser().get('/counter/crash', { accept: 'application/json' });
    expect([crashed.status, await Browser.errorOf(crashed)]).toEqual([
      500,
      {
        code: 'INTERNAL_ERROR',
        message: expect.any(String),
        details: { request_id: crashed.headers.get('x-request-id') },
      },
    ]);
    expect(world.log.join('')).not.toContain('topsecret');
  });

  it('RTE-8 key ones want a key, without scope, and do not see it', async () => {
    const key = await keyOf(1);
    const answer = (await (await key.get('/counter/keyed')).json()) as { uid: number; headers: Record<string, string> };
    expect(answer.uid).toBe(1);
    expect(JSON.stringify(answer.headers)).not.toContain('sk_');
    expect((await key.fetch('/counter/names', { method: 'PUT' })).status).toBe(200);
    expect((await admin.get('/counter/keyed', { accept: 'application/json' })).status).toBe(401);
    expect((await world.browser().get('/counter/keyed')).status).toBe(401);
    expect((await (await keyOf(1, { '*': ['search'] })).get('/counter/keyed')).status).toBe(403);
  });

  it('RTE-8 RTE-6 a known path with another verb is 405', async () => {
    for (const [path, method, allowed] of [
      ['/counter/text', 'POST', 'GET'],
      ['/counter/names', 'DELETE', 'GET, POST, PUT'],
      ['/counter/body', 'OPTIONS', 'POST'],
    ] as const) {
      const response = await world.browser().fetch(path, { method });
      expect([path, method, response.status, response.headers.get('allow')]).toEqual([path, method, 405, allowed]);
    }
    expect((await world.browser().fetch('/counter/echo/x', { method: 'HEAD' })).status).toBe(200);
    expect((await world.browser().get('/counter/unknown')).status).toBe(404);
  });

  it('RTE-8 never take the place of a route of the server, or of an earlier one', async () => {
    expect((await world.browser().get('/api/rpc')).status).toBe(405);
    expect(await (await world.browser().form('/web/login', { login: 'x', password: 'x' })).text()).not.toContain(
      'taken over',
    );
    expect(await (await world.browser().get('/counter/text')).text()).toBe('plain');
  });

  long('RTE-8 come and go with their module while the server runs', async () => {
    const status = async () => (await world.browser().get('/counter/text')).status;
    const { kernel } = world;
    await kernel.changeModules((context) => deactivateModule(context, 'counter'));
    expect(await status()).toBe(404);
    await kernel.changeModules((context) => activateModule(context, 'counter'));
    expect(await status()).toBe(202);
    await kernel.changeModules((context) => uninstallModule(context, 'counter'));
    expect(await status()).toBe(404);
    await kernel.changeModules((context) => installModules(context, ['counter']));
    expect(await status()).toBe(202);
  });

  it('RTE-8 a method that may change nothing changes nothing', async () => {
    const before = await world.work((env) =>
      env
        .sudo()
        .model('core.partner')
        .search([['name', '=', 'never']]),
    );
    expect(before).toEqual([]);
    const response = await admin.get('/counter/write-in-get', { accept: 'application/json' });
    expect(response.status).toBe(500);
    expect(
      await world.work((env) =>
        env
          .sudo()
          .model('core.partner')
          .search([['name', '=', 'never']]),
      ),
    ).toEqual([]);
  });
});
