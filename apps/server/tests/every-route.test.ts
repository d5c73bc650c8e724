import { createApiKey } from '@kontor/parts';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Browser } from './browser.ts';
import { openBus } from './bus-socket.ts';
import { rawRequest, sendRaw } from './raw-http.ts';
import { type ServedRoute, servedRoutes } from './served-routes.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** Every route there is, those of the shipped addons too: what is true of all of them. */
let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer({ modules: ['contacts', 'product', 'crm', 'sale', 'project'], demo: true });
  admin = await world.signedIn();
});
afterAll(() => world.close());

const routes = () => servedRoutes(world);

/** An address that a route answers to. */
const addressOf = ({ path }: ServedRoute): string =>
  path
    .replaceAll(/:id\(\^[^)]*\)/g, '1')
    .replaceAll(/:\w+/g, 'sale')
    .replace('*', 'nothing.js');

describe('GEN-2 one transport', () => {
  it('GEN-2 nothing else takes a body but what the interface names', () => {
    const changing = routes().filter(({ verb }) => verb !== 'GET');
    expect(changing.map(({ verb, path }) => `${verb} ${path}`).sort()).toEqual(
      [
        'POST /api/rpc',
        'POST /mail/in/:mailbox',
        // The links in e-mails, for whoever has them.
        'POST /mail/unsubscribe/:token',
        'POST /setup/init',
        'POST /web/action/create_api_key',
        'POST /web/action/reset_password',
        'POST /web/action/rotate_api_key',
        'POST /web/bulk/cancel',
        'POST /web/bulk/confirm',
        'POST /web/bulk/upload',
        'POST /web/chatter/followers',
        'POST /web/chatter/mail',
        'POST /web/chatter/post',
        'POST /web/chatter/reschedule',
        'POST /web/chatter/share',
        'POST /web/chatter/unmention',
        'POST /web/chatter/unsend',
        'POST /web/company/switch',
        'POST /web/customise',
        'POST /web/customise/addon',
        'POST /web/customise/preview',
        'POST /web/customise/spreadsheet',
        'POST /web/customise/states',
        'POST /web/forgot-password',
        'POST /web/import/csv',
        'POST /web/inbox/change',
        'POST /web/login',
        'POST /web/mail/invitation',
        'POST /web/module/action',
        'POST /web/reset-password',
        'POST /web/user/pinned-apps',
        // For customers, on their pages.
        ...['/portal/:secret(^[A-Za-z0-9_-]{43}$)', '/portal/my/:model/:id(^\\d{1,9}$)'].flatMap((base) =>
          ['accept', 'comment', 'decline', 'seen'].map((change) => `POST ${base}/${change}`),
        ),
        'POST /portal/:secret(^[A-Za-z0-9_-]{43}$)/renew',
        'POST /portal/in/:secret(^[A-Za-z0-9_-]{43}$)',
        'POST /portal/sign-in',
        'POST /portal/sign-out',
        // A person decides about what agents propose.
        'POST /web/proposals/decide',
        // For people with a second factor, and for who sets one up.
        'POST /web/login/enrol',
        'POST /web/login/factor',
        'POST /web/login/passkey',
        'POST /web/login/passkey/options',
        'POST /web/user/factors/passkey',
        'POST /web/user/factors/passkey/options',
        'POST /web/user/factors/recovery',
        'POST /web/user/factors/remove',
        'POST /web/user/factors/totp',
        'POST /web/user/factors/totp/confirm',
      ].sort(),
    );
  });

  long('GEN-2 a call that is sent anywhere else, by any verb or over the bus, changes and tells nothing', async () => {
    const call = { model: 'core.partner', method: 'create', args: [{ name: 'By another way' }] };
    const made = () => admin.rpc<unknown[]>('core.partner', 'search', [[['name', '=', 'By another way']]]);
    const others = ['PUT', 'PATCH', 'DELETE', 'QUERY'].map((verb) => ({ verb, path: '/api/rpc' }));
    for (const route of [...routes(), ...others]) {
      if (`${route.verb} ${route.path}` === 'POST /api/rpc' || route.path === '/web/logout') continue;
      const body = route.verb === 'GET' ? {} : { body: JSON.stringify({ ...call, csrf_token: admin.csrf }) };
      const query = new URLSearchParams({ ...call, args: JSON.stringify(call.args) });
      const answer = await admin.fetch(`${addressOf(route)}?${query}`, {
        method: route.verb,
        headers: { 'content-type': 'application/json', 'x-csrf-token': admin.csrf },
        ...body,
      });
      await answer.arrayBuffer();
    }
    const bus = await openBus(admin);
    bus.socket.send(JSON.stringify(call));
    bus.socket.send(JSON.stringify({ params: call, watch: [] }));
    const id = await admin.rpc<number>('core.partner', 'create', [{ name: 'By the one way' }]);
    await expect.poll(() => bus.of('record.created')).toContainEqual({ model: 'core.partner', id });
    expect(bus.messages.map(({ channel }) => channel)).not.toContain('result');
    expect(await made()).toEqual([]);
    await bus.close();
    await admin.rpc('core.partner', 'create', call.args);
    expect(await made()).toHaveLength(1);
  });
});

type Answer = { readonly what: string; readonly headers: Headers };

/** Checks every header that protects the person in the browser. */
function expectSafe({ what, headers }: Answer): void {
  const policy = headers.get('content-security-policy') ?? '';
  expect([what, policy]).toEqual([what, expect.stringContaining("default-src 'none'")]);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).toContain("form-action 'self'");
  // A mail that is shown has the styles of a mail; in a sandbox nothing runs.
  const strict = /; sandbox$/.test(policy) ? policy.replace("style-src 'unsafe-inline'", '') : policy;
  expect(strict).not.toMatch(/unsafe-|\*|https?:/);
  const rest = Object.fromEntries(
    [
      'x-content-type-options',
      'x-frame-options',
      'referrer-policy',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'permissions-policy',
      'x-powered-by',
      'server',
    ].map((name) => [name, headers.get(name)]),
  );
  expect([what, rest]).toEqual([
    what,
    {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // A page whose address is a secret sends none at all.
      'referrer-policy': expect.stringMatching(/^(?:same-origin|no-referrer)$/),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'x-powered-by': null,
      server: null,
    },
  ]);
  expect([what, headers.get('x-request-id')]).toEqual([what, expect.stringMatching(/^[\x21-\x7e]+$/)]);
  // Only what has its content in its name is kept by anybody, and for the person alone where it is theirs.
  const isOpen = /^GET \/web\/(static|addon)\//.test(what);
  if (!isOpen)
    expect([what, headers.get('cache-control')]).toEqual([what, expect.stringMatching(/^(private, )?no-store$/)]);
}

describe('RTE-7 security headers', () => {
  long('RTE-7 are on what every route answers, to strangers, people and programs', async () => {
    const { secret } = await world.work((env) =>
      createApiKey(env, { userId: 1, name: 'headers', expiresAt: null, scope: null }),
    );
    const callers = { stranger: world.browser(), person: admin, program: Browser.withKey(world.url, secret) };
    for (const route of routes()) {
      if (route.path === '/web/logout') continue;
      for (const [who, browser] of Object.entries(callers)) {
        for (const accept of ['text/html', 'application/json']) {
          const body = route.verb === 'GET' ? {} : { body: 'x' };
          const answer = await browser.fetch(addressOf(route), { method: route.verb, headers: { accept }, ...body });
          await answer.arrayBuffer();
          expectSafe({ what: `${route.verb} ${addressOf(route)} (${who}, ${accept})`, headers: answer.headers });
        }
      }
    }
  });

  long('RTE-7 are on files, downloads, refusals and what is no request at all', async () => {
    const [order] = await admin.rpc<{ id: number }[]>('sale.order', 'search_read', [[], []], { limit: 1 });
    const paths = [
      '/web/export/csv?model=core.partner&fields=name',
      '/web/export/pdf?model=core.partner&fields=name',
      '/web/bulk/template?model=core.partner&fields=name',
      '/web/addon/sale/icon.svg',
      `/web/sale/quotation/${order?.id}.pdf`,
      '/web?model=core.partner',
      '/metrics',
      '/nothing',
      '/web/nothing',
      '/web/%zz',
      '/web/wc/bus',
    ];
    for (const path of paths) {
      const answer = await admin.get(path);
      await answer.arrayBuffer();
      expectSafe({ what: `GET ${path}`, headers: answer.headers });
    }
    const ended = await (await world.signedIn()).get('/web/logout');
    expectSafe({ what: 'GET /web/logout', headers: ended.headers });
    for (const init of [
      { method: 'DELETE' },
      { method: 'POST', body: '{' },
      { method: 'POST', body: ' '.repeat(4_000_001), headers: { 'content-type': 'application/json' } },
      { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } },
    ]) {
      expectSafe({ what: JSON.stringify(init).slice(0, 60), headers: (await admin.fetch('/api/rpc', init)).headers });
    }
    for (const bytes of [
      'hello world\r\n\r\n',
      `GET / HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(20_000)}\r\n\r\n`,
      rawRequest('POST /web/wc/bus', { host: 'x', connection: 'upgrade', upgrade: 'websocket' }),
      rawRequest('GET /web/wc/bus', { host: 'x', connection: 'upgrade, close', upgrade: 'h2c' }),
    ]) {
      expectSafe({ what: bytes.slice(0, 40), headers: headersOf(await sendRaw(world.port, bytes)) });
    }
    expectSafe({ what: 'a refused upgrade', headers: await refusedUpgrade() });
  });

  it('RTE-7 no two answers have the same nonce', async () => {
    const policies = await Promise.all(
      [1, 2, 3].map(async () => (await world.browser().get('/web/login')).headers.get('content-security-policy')),
    );
    expect(new Set(policies).size).toBe(3);
  });
});

function headersOf(answer: string): Headers {
  const [, ...lines] = (answer.split('\r\n\r\n', 1)[0] ?? '').split('\r\n');
  return new Headers(lines.map((line) => line.split(/:\s*(.*)/s, 2) as [string, string]));
}

function refusedUpgrade(): Promise<Headers> {
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}/web/wc/bus`);
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_request, response) => {
      resolve(new Headers(response.headers as Record<string, string>));
      response.resume();
      socket.terminate();
    });
  });
}
