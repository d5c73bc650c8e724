import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bootstrap, ClientAddon } from '@kontor/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Envelope } from './browser.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const gauges = fileURLToPath(new URL('../../web/tests/addons/gauges', import.meta.url));
const world = mkdtempSync(join(tmpdir(), 'kontor-browser-'));
const outside = join(world, 'addons');
const clientFolder = join(world, 'web');
let server: TestServer;
let admin: Browser;

beforeAll(async () => {
  cpSync(gauges, join(outside, 'gauges'), { recursive: true });
  write(clientFolder, 'manifest.json', '{"main": {"file": "assets/main-1.js", "isEntry": true}}');
  write(clientFolder, 'addons.json', built('assets/addon-project-1.js'));
  const env = { KONTOR_DATA_DIR: join(world, 'data') };
  server = await startTestServer({ modules: ['gauges', 'project'], addonsPath: [outside], clientFolder, env });
  admin = await server.signedIn();
});
afterAll(async () => {
  await server.close();
  rmSync(world, { recursive: true, force: true });
});

describe('browser code of addons', () => {
  it('BRO-1 the page names that of the modules that are present, and where what it shares is', async () => {
    const page = await (await admin.get('/web/home')).text();
    const map = /<script type="importmap" nonce="[^"]+">(.*?)<\/script>/.exec(page)?.[1] ?? '';
    expect(JSON.parse(map)).toEqual({ imports: { react: '/web/static/assets/door-react-1.js' } });
    expect(page.indexOf('importmap')).toBeLessThan(page.indexOf('type="module"'));
    const names = (await clients()).map(({ module, widgets, views }) => ({ module, widgets, views }));
    expect(names).toEqual([
      { module: 'gauges', widgets: ['dial'], views: [{ type: 'tiles', label: 'Tiles', icon: 'layout-grid' }] },
      { module: 'project', widgets: ['hours_bar'], views: [{ type: 'project_week', label: 'Week', icon: 'clock' }] },
    ]);
    const given = await admin.get('/web?action=gauges.readings', { accept: 'application/json' });
    const { result } = (await given.json()) as { result: Bootstrap };
    expect(result.clientAddons).toEqual(await clients());
  });

  it('BRO-1 a new build of the shipped addons is named without a restart', async () => {
    expect((await clientOf('project')).script).toBe('/web/static/assets/addon-project-1.js');
    write(clientFolder, 'addons.json', built('assets/addon-project-22.js'));
    expect((await clientOf('project')).script).toBe('/web/static/assets/addon-project-22.js');
  });

  it('BRO-3 files of an addon from outside are compressed and immutable, and for people who are signed in', async () => {
    const { script, styles } = await clientOf('gauges');
    const code = await admin.get(script, { 'accept-encoding': 'gzip' });
    expect(code.status).toBe(200);
    expect(code.headers.get('content-type')).toContain('text/javascript');
    expect(code.headers.get('content-encoding')).toBe('gzip');
    expect(code.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    const text = await code.text();
    expect(text).toMatch(/from"@kontor\/client"/);
    expect(text).toMatch(/from"react"/);
    expect(text).not.toMatch(/useSyncExternalStore\s*=/);
    const style = await admin.get(styles[0] ?? '');
    expect(await style.text()).toContain('.gauges-dial');
    expect((await server.browser().get(script, { accept: 'application/json' })).status).toBe(401);
    for (const path of [
      'gauges/client/gauges.note.json',
      'gauges/client/..%2fgauges.json',
      'mail/client/addon-gauges-1.js',
    ]) {
      expect((await admin.get(`/web/addon/${path}`)).status, path).toBe(404);
    }
  });

  it('BRO-3 the same files give the same names, changed ones others', async () => {
    const { script } = await clientOf('gauges');
    expect((await clientOf('gauges')).script).toBe(script);
    write(outside, 'gauges/client/words.ts', "export const unit = 'kPa';");
    write(outside, 'gauges/client/index.tsx', indexWith("export { unit } from './words.ts';"));
    const changed = (await clientOf('gauges')).script;
    expect(changed).not.toBe(script);
    expect((await admin.get(script)).status, 'open pages still find what they were given').toBe(200);
    expect(await (await admin.get(changed)).text()).toContain('kPa');
  });

  it('BRO-2 a mistake refuses the install with file and line', async () => {
    writeAddon('crooked', { 'client/index.ts': "\nimport { nowhere } from './nowhere.ts';\nexport default nowhere;" });
    expect(await act('install', 'crooked')).toMatch(/crooked: client\/index\.ts:2: .*nowhere/);
    writeAddon('greedy', {
      'client/index.ts': "import { createRoot } from 'react-dom/client';\nexport default createRoot;",
    });
    expect(await act('install', 'greedy')).toMatch(/greedy: client\/index\.ts:1: .*"react-dom\/client" is not for/);
  });

  it('BRO-7 two widgets of one name are refused', async () => {
    const code = (name: string) =>
      `import { defineAddon } from '@kontor/addon';\nexport default defineAddon({ ${name}: { doc: '', label: '' } } });`;
    writeAddon('copy_cat', { 'addon.ts': code('widgets: { dial') });
    expect(await act('install', 'copy_cat')).toContain('The widget "dial" is gauges\'s already.');
    writeAddon('copy_dog', { 'addon.ts': code('views: { kanban') });
    expect(await act('install', 'copy_dog')).toContain('The view type "kanban" is the client\'s already.');
  });

  it('BRO-5 a view type is a tab with the data of the kind it is written as', async () => {
    await admin.rpc('gauges.reading', 'create', [{ name: 'Boiler', value: 7 }]);
    const payload = (await (await admin.get('/web/wc/workspace?action=gauges.readings&view_type=tiles')).json()) as {
      viewType: string;
      arch: { type: string; list: { columns: { name: string }[] } };
      records: object[];
      viewTabs: { mode: string; label: string }[];
    };
    expect(payload).toMatchObject({
      viewType: 'tiles',
      arch: { type: 'tiles' },
      records: [{ name: 'Boiler', value: 7 }],
    });
    expect(payload.arch.list.columns.map(({ name }) => name)).toEqual(['name', 'value']);
    expect(payload.viewTabs.map(({ mode, label }) => `${mode} ${label}`)).toEqual(['list List', 'tiles Tiles']);
  });

  it('BRO-5 a type that nobody brings is an error that says which there are', async () => {
    const asked = await admin.get('/web/wc/workspace?action=gauges.readings&view_type=tile');
    const { error } = (await asked.json()) as Envelope;
    expect(asked.status).toBe(400);
    expect(error?.message).toBe('There is no view type "tile". Did you mean "tiles"?');
    expect(error?.details.hint).toContain('cohort, tiles');
    const xml = '<views>\n<list id="l" model="core.partner" as="tilez"><field name="name"/></list>\n</views>';
    writeAddon('slip', { 'views/slip.xml': xml });
    expect(await act('install', 'slip')).toMatch(/slip: views\/slip\.xml:2: .*"tilez" that does not exist/);
  });

  it('BRO-6 what a module brought goes with it', async () => {
    const { script } = await clientOf('gauges');
    expect(await act('uninstall', 'gauges')).toBe('');
    expect((await clients()).map(({ module }) => module)).toEqual(['project']);
    expect((await admin.get(script)).status).toBe(404);
    const asked = await admin.get('/web/wc/workspace?model=core.partner&view_type=tiles');
    expect(asked.status).toBe(400);
  });
});

async function clients(): Promise<readonly ClientAddon[]> {
  const answer = await admin.get('/web/addon/clients', { accept: 'application/json' });
  return ((await answer.json()) as { result: readonly ClientAddon[] }).result;
}

async function clientOf(module: string): Promise<ClientAddon> {
  const found = (await clients()).find((client) => client.module === module);
  if (!found) throw new Error(`${module} brings nothing to the browser.`);
  return found;
}

/** The message it was refused with; empty when it was done. */
async function act(what: string, module: string): Promise<string> {
  await server.kernel.refreshCatalogue();
  const response = await admin.json('/web/module/action', { do: what, module });
  return ((await response.json()) as Envelope).error?.message ?? '';
}

function writeAddon(name: string, files: Readonly<Record<string, string>>): void {
  const manifest = { name, label: name, version: '1.0.0', depends: ['gauges'] };
  const code = "import { defineAddon } from '@kontor/addon';\nexport default defineAddon({});";
  write(outside, `${name}/manifest.json`, JSON.stringify(manifest));
  for (const [path, text] of Object.entries({ 'addon.ts': code, ...files })) write(outside, `${name}/${path}`, text);
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function built(script: string): string {
  return JSON.stringify({ imports: { react: 'assets/door-react-1.js' }, addons: { project: { script, styles: [] } } });
}

function indexWith(line: string): string {
  return `import { defineClient } from '@kontor/client';
import { dialField } from './dial.tsx';
import { tilesView } from './tiles.tsx';
${line}
export default defineClient({ fields: [dialField], views: [tilesView] });
`;
}
