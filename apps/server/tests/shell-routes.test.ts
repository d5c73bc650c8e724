import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { sql } from '@kontor/database';
import type { Bootstrap, ErrorScreenData } from '@kontor/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptJson } from '../answers/send-shell.ts';
import type { Browser, Envelope } from './browser.ts';
import { deskAddons } from './desk-addons.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const evil = '</script><script>alert(1)</script><!--\u2028\u2029';
const folder = mkdtempSync(join(tmpdir(), 'kontor-client-'));
const put = (name: string, content: string | Buffer) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const build = () => {
  put(
    'manifest.json',
    JSON.stringify({
      'apps/web/main.tsx': {
        file: 'assets/main-1a2b.js',
        isEntry: true,
        imports: ['_react.js'],
        css: ['assets/main-3c.css'],
      },
      '_react.js': { file: 'assets/react-5e.js', imports: [] },
      'apps/web/views/form/view.tsx': {
        file: 'assets/form-7d.js',
        isDynamicEntry: true,
        imports: ['apps/web/main.tsx', '_react.js', '_shared.js'],
        css: ['assets/form-8e.css'],
      },
      '_shared.js': { file: 'assets/shared-6a.js' },
    }),
  );
  const script = 'console.log("client");'.repeat(50);
  put('assets/main-1a2b.js', script);
  put('assets/main-1a2b.js.br', brotliCompressSync(script));
  put('assets/main-1a2b.js.gz', gzipSync(script));
  put('assets/main-3c.css', 'body{}');
  put('.hidden.js', 'secret');
  put('assets/notes.secret', 'secret');
  return script;
};

let server: TestServer;
let admin: Browser;
let agent: Browser;

beforeAll(async () => {
  server = await startTestServer({ modules: ['desk'], addonsPath: [deskAddons], clientFolder: folder });
  admin = await server.signedIn();
  agent = (await server.user('Agent Smith', ['desk.group_agent'])).browser;
  await server.work((env) => env.model('desk.ticket').create({ name: evil }));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the browser would find in the window. */
function bootstrapOf(page: string): Bootstrap {
  const [, json = ''] = /window\.__WC_BOOTSTRAP__ = (.*?);<\/script>/s.exec(page) ?? [];
  return JSON.parse(json) as Bootstrap;
}

describe('the shell', () => {
  it('BOO-1 says that the client is not built while it is not, and is no dead screen', async () => {
    const response = await agent.get('/web?action=desk.tickets');
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain('has not been built');
    expect(page).not.toContain('src="/web/static');
    expect(bootstrapOf(page).user.name).toBe('Agent Smith');
  });

  it('BOO-1 carries the bootstrap object and the first workspace, and nothing in it can end the script', async () => {
    build();
    const response = await agent.get('/web?action=desk.tickets&view_type=list');
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const [, nonce] =
      /script-src 'self' 'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
    expect(page).toContain(`<script nonce="${nonce}">window.__WC_BOOTSTRAP__`);
    // SCN-71: the import map, the bootstrap and the client; a list of numbers and days needs nothing of languages.
    expect(page.match(/<script/g)).toHaveLength(3);
    expect(page).not.toContain('\u2028');
    const { firstWorkspace, workspace, csrfToken } = bootstrapOf(page);
    expect(csrfToken).toBe(agent.csrf);
    expect(firstWorkspace?.records).toMatchObject([{ name: evil }]);
    expect(workspace).toMatchObject({ actionId: firstWorkspace?.actionId, viewType: 'list' });
    expect(page).toContain('<link rel="stylesheet" href="/web/static/assets/main-3c.css">');
    expect(page).toContain('<link rel="modulepreload" href="/web/static/assets/react-5e.js">');
    expect(page).toMatch(/<script type="module" nonce="[^"]+" src="\/web\/static\/assets\/main-1a2b.js"><\/script>/);
    expect(page).toContain('<noscript>');
    expect(page).not.toContain('form-7d');
    const form = await (await agent.get('/web?action=desk.tickets&view_type=form&id=0')).text();
    const linked = [
      ...form.matchAll(/<link rel="(?:stylesheet|modulepreload)" href="\/web\/static\/assets\/([^"]+)"/g),
    ];
    const files = ['main-3c.css', 'form-8e.css', 'react-5e.js', 'shared-6a.js', 'form-7d.js'];
    expect(linked.map(([, file]) => file)).toEqual(files);
  });

  it('BOO-1 is for people who are signed in; programs get the object alone', async () => {
    const nobody = await server.browser().get('/web?action=desk.tickets');
    expect(nobody.status).toBe(302);
    expect(nobody.headers.get('location')).toBe('/web/login?next=%2Fweb%3Faction%3Ddesk.tickets');
    const bare = await agent.get('/web');
    expect([bare.status, bare.headers.get('location')]).toEqual([302, '/web/home']);
    const json = await agent.get('/web?action=desk.tickets', { accept: 'application/json' });
    const { ok, result } = (await json.json()) as Envelope;
    expect(ok).toBe(true);
    expect(result).toMatchObject({ rpcUrl: '/api/rpc', firstWorkspace: { viewType: 'list' } });
  });

  it('BOO-14 what cannot be shown is said inside the shell, with its status and the request id', async () => {
    const html = { accept: 'text/html,application/xhtml+xml', 'x-request-id': 'astray-1' };
    const asked = [
      ['/web?action=desk.nothing', 404, 'There is no action desk.nothing'],
      ['/web?action=desk.tickets&view_type=form&id=987654', 404, ''],
      ['/web/nowhere', 404, 'There is no such page.'],
      ['/web/apps', 403, 'This is for administrators.'],
      ['/web?action=desk.tickets&view_type=no', 400, ''],
    ] as const;
    for (const [path, status, message] of asked) {
      const response = await agent.get(path, html);
      expect([response.status, response.headers.get('x-request-id')], path).toEqual([status, 'astray-1']);
      const { screen, topMenus, sidebarMenus } = bootstrapOf(await response.text());
      expect(screen, path).toMatchObject({ name: 'error', data: { status, requestId: 'astray-1' } });
      const data = screen?.data as ErrorScreenData | undefined;
      expect(data?.message).toContain(message);
      expect(topMenus.length).toBeGreaterThan(0);
      expect(sidebarMenus.length > 0, path).toBe(path.includes('desk.tickets'));
    }
  });

  it('BOO-14 pictures, posts and people who are not signed in get no shell', async () => {
    const picture = await agent.get('/web/nowhere.png', { accept: 'image/*' });
    const nobody = await server.browser().get('/web/nowhere', { accept: 'text/html' });
    const posted = await agent.form('/web/nowhere', {}, { accept: 'text/html' });
    for (const response of [picture, nobody, posted]) {
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain('__WC_BOOTSTRAP__');
    }
  });

  it('BOO-6 JSON in a script has no way out of it', () => {
    expect(scriptJson({ a: evil })).toBe(
      '{"a":"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--\\u2028\\u2029"}',
    );
  });
});

describe('screens', () => {
  const json = async (path: string, browser: Browser) => {
    const response = await browser.get(path, { accept: 'application/json' });
    const { ok, result, error } = (await response.json()) as Envelope;
    return { status: response.status, ok, result: result as Record<string, unknown>, code: error?.code };
  };

  it('BOO-7 home, settings, profile and reference are for everyone, apps and logs for administrators', async () => {
    for (const path of ['/web/home', '/web/settings', '/web/profile', '/web/reference']) {
      expect((await json(path, agent)).status, path).toBe(200);
      expect((await agent.get(path)).status, path).toBe(200);
    }
    for (const path of ['/web/apps', '/web/settings/app-logs']) {
      expect(await json(path, agent), path).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
      expect((await json(path, admin)).status, path).toBe(200);
      expect((await server.browser().get(path)).headers.get('location')).toBe(
        `/web/login?next=${encodeURIComponent(path)}`,
      );
      expect((await json(path, server.browser())).code).toBe('UNAUTHORIZED');
    }
  });

  it('BOO-7 the page carries the data of its screen', async () => {
    const page = bootstrapOf(await (await admin.get('/web/settings')).text());
    expect(page.screen).toMatchObject({ name: 'settings', data: { isAdmin: true } });
    expect(page.sidebarMenus.map(({ name }) => name)).toContain('People');
    const home = bootstrapOf(await (await agent.get('/web/home')).text());
    expect(home.screen).toMatchObject({ name: 'home', data: { apps: [{ module: 'desk' }, { module: 'mail' }] } });
    expect(home.apps.map(({ module }) => module)).toContain('desk');
  });

  it('BOO-8 the catalogue tells states, dependencies and what an uninstall would remove', async () => {
    const { result } = await json('/web/apps?module=desk', admin);
    const modules = result.modules as Record<string, unknown>[];
    expect(modules.find(({ module }) => module === 'desk')).toMatchObject({
      label: 'Help desk',
      state: 'installed',
      application: true,
      depends: ['base'],
      dependents: [],
    });
    expect(modules.find(({ module }) => module === 'desk_extra')).toMatchObject({
      state: 'uninstalled',
      depends: ['base', 'desk'],
      brings: [],
    });
    expect(modules.find(({ module }) => module === 'base')).toMatchObject({ required: true, state: 'installed' });
    expect(result.uninstall).toMatchObject({
      module: 'desk',
      tables: expect.arrayContaining([{ table: 'desk_ticket', rows: 1 }]),
    });
  });

  it('BOO-9 logs are found by level, text and request', async () => {
    await server.kernel.database.execute(sql`
      insert into sys_log (at, level, source, message, request_id, create_date, write_date)
      select now(), level, 'test', message, request_id, now(), now()
      from (values ('warn', 'The disk is nearly full', 'r-1'), ('error', 'Mail was not sent', 'r-2'),
        ('error', 'The disk failed', 'r-3')) as given (level, message, request_id)`);
    const messages = async (query: string) => {
      const { result } = await json(`/web/settings/app-logs?${query}`, admin);
      return (result.entries as { message: string }[]).map(({ message }) => message);
    };
    expect(await messages('level=error&q=DISK')).toEqual(['The disk failed']);
    expect(await messages('request_id=r-2')).toEqual(['Mail was not sent']);
    const { result } = await json('/web/settings/app-logs?q=disk', admin);
    const [newest, older] = result.entries as { id: number; message: string }[];
    expect(await messages(`q=disk&before=${newest?.id}`)).toEqual([older?.message]);
    expect(await messages(`q=disk&after=${older?.id}`)).toEqual([newest?.message]);
    expect((await json('/web/settings/app-logs?level=loud', admin)).code).toBe('INVALID_ARGS');
    expect((await json('/web/settings/app-logs?before=x', admin)).code).toBe('INVALID_ARGS');
  });

  it('BOO-10 the profile shows one’s own keys and sessions, and which of them this is', async () => {
    await admin.form('/web/action/create_api_key', { name: 'Mine' });
    const { result } = await json('/web/profile', admin);
    expect(result.user).toMatchObject({ name: 'Ada Lindqvist', login: 'ada@example.com' });
    expect(result.apiKeys).toMatchObject([{ name: 'Mine', prefix: expect.stringMatching(/^sk_/) }]);
    expect(JSON.stringify(result)).not.toContain('hash');
    const sessions = result.sessions as { isCurrent: boolean }[];
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    expect((await json('/web/profile', agent)).result.apiKeys).toEqual([]);
  });

  it('BOO-11 the message of a post is shown once, on the next page', async () => {
    await admin.form('/web/action/create_api_key', { name: 'Shown once' });
    const { toasts } = bootstrapOf(await (await admin.get('/web/settings')).text());
    expect(toasts).toMatchObject([
      { kind: 'secret', title: 'API key Shown once', body: expect.stringMatching(/^sk_/) },
    ]);
    expect(bootstrapOf(await (await admin.get('/web/settings')).text()).toasts).toEqual([]);
  });
});

describe('files of the client', () => {
  it('BOO-12 come compressed when asked for, and are kept for ever by their name', async () => {
    const script = build();
    const raw = async (encoding: string) => {
      const { request } = await import('node:http');
      return new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
        const call = request(`${server.url}/web/static/assets/main-1a2b.js`, {
          headers: { 'accept-encoding': encoding },
        });
        call.on('response', (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(parts) }));
        });
        call.on('error', reject);
        call.end();
      });
    };
    const br = await raw('gzip, br');
    expect(br.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(brotliDecompressSync(br.body).toString()).toBe(script);
    const gz = await raw('gzip;q=0.5, br;q=0');
    expect(gz.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gz.body).toString()).toBe(script);
    const plain = await raw('identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body.toString()).toBe(script);
    const again = await server
      .browser()
      .get('/web/static/assets/main-3c.css', { 'if-none-match': '"x"', 'accept-encoding': 'identity' });
    const etag = again.headers.get('etag') ?? '';
    const same = await server
      .browser()
      .get('/web/static/assets/main-3c.css', { 'if-none-match': etag, 'accept-encoding': 'identity' });
    expect(same.status).toBe(304);
    expect((await server.browser().get('/web/static/manifest.json')).headers.get('cache-control')).toBe('no-cache');
  });

  it('BOO-12 nothing else can be reached through them', async () => {
    put('../kontor-outside.js', 'outside');
    const status = async (path: string, method = 'GET') =>
      (await server.browser().fetch(`/web/static/${path}`, { method })).status;
    try {
      for (const path of [
        '../kontor-outside.js',
        '..%2fkontor-outside.js',
        '%2e%2e/kontor-outside.js',
        '%2e%2e%2fkontor-outside.js',
        'assets/..%2f..%2fkontor-outside.js',
        'assets/%2e%2e/%2e%2e/kontor-outside.js',
        '..%5ckontor-outside.js',
        '%00assets/main-1a2b.js',
        'assets/main-1a2b.js%00',
        '.hidden.js',
        'assets/notes.secret',
        'assets',
        'assets/',
        '',
        '/etc/passwd',
        `${'a/'.repeat(400)}b.js`,
      ]) {
        expect([400, 404], path).toContain(await status(path));
      }
      expect(await status('assets/main-1a2b.js', 'HEAD')).toBe(await status('assets/main-1a2b.js'));
    } finally {
      rmSync(join(folder, '../kontor-outside.js'), { force: true });
    }
  });

  it('BOO-12 an unknown path stays a page that says so', async () => {
    const response = await agent.get('/web/nothing', { accept: 'text/html' });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('no such page');
  });
});
