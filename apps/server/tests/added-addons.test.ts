import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AppsScreenData } from '@kontor/protocol';
import { addonTarball, isLong, makeTarball, type PackedEntry } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addAddons } from '../added/added-addons.ts';
import { readPackage } from '../added/read-package.ts';
import { readTarball, tarballLimits } from '../added/read-tarball.ts';
import { add } from '../commands/add.ts';
import type { Command } from '../commands/command.ts';
import { pack } from '../commands/pack.ts';
import { remove } from '../commands/remove.ts';
import { Browser } from './browser.ts';
import { runBuilt } from './built-server.ts';
import { openRegistry, type PackageRegistry } from './package-registry.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'kontor-added-'));
const addons = join(folder, 'addons');
let world: TestServer;
let admin: Browser;
let registry: PackageRegistry;
beforeAll(async () => {
  const env = { KONTOR_ADDONS_DIR: addons, KONTOR_ADDON_UPLOAD: 'true' };
  world = await startTestServer({ env });
  admin = await world.signedIn();
  registry = await openRegistry();
});
afterAll(async () => {
  await registry?.close();
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A command in this process, from source, where code of addons is not checked; answers what it says. */
async function run(command: Command, words: readonly string[], options: Readonly<Record<string, string>> = {}) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const npm = { NPM_CONFIG_USERCONFIG: join(folder, '.npmrc'), NPM_CONFIG_CACHE: join(folder, 'npm') };
  for (const [name, value] of Object.entries(npm)) vi.stubEnv(name, value);
  try {
    const { config } = world.kernel;
    const has = (name: string) => name in options || name === 'no-check';
    await command.run({ config, words, option: (name) => options[name], has });
    return log.mock.calls.map(([line]) => String(line)).join('\n');
  } finally {
    vi.unstubAllEnvs();
    log.mockRestore();
  }
}

function save(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

async function catalogue(browser = admin): Promise<AppsScreenData> {
  const answer = await browser.get('/web/apps', { accept: 'application/json' });
  return ((await answer.json()) as { result: AppsScreenData }).result;
}

async function entryOf(name: string) {
  return (await catalogue()).modules.find(({ module }) => module === name);
}

const change = async (what: string, module: string) =>
  (await admin.json('/web/module/action', { do: what, module })).status;

describe('PKG-8 a tarball from outside', () => {
  const refused: readonly (readonly [string, readonly PackedEntry[], string])[] = [
    ['a path that climbs', [{ path: 'package/../../etc/passwd' }], 'leads out of its folder'],
    ['an absolute path', [{ path: '/etc/passwd' }], 'leads out of its folder'],
    ['a path of Windows', [{ path: 'package\\..\\x' }], 'leads out of its folder'],
    ['a symbolic link', [{ path: 'package/data', type: '2', link: '/etc' }], 'neither a file nor a folder'],
    ['a hard link', [{ path: 'package/x', type: '1', link: '/etc/passwd' }], 'neither a file nor a folder'],
    ['a device', [{ path: 'package/x', type: '3' }], 'neither a file nor a folder'],
    ['a file twice', [{ path: 'package/x' }, { path: 'package/x' }], 'twice'],
    ['a file below a file', [{ path: 'package/x' }, { path: 'package/x/y' }], 'leads out of its folder'],
  ];
  it.each(refused)('is refused with %s', async (_what, entries, message) => {
    await expect(readTarball(makeTarball(entries))).rejects.toThrow(message);
  });

  it('is refused when it is too large, packed or not, or no tarball at all', async () => {
    const many = makeTarball([{ path: 'package/a', text: 'x'.repeat(3_000) }, { path: 'package/b' }]);
    for (const limit of [{ packed: 10 }, { file: 2_999 }, { all: 100, files: 1 }, { files: 1 }]) {
      await expect(readTarball(many, { ...tarballLimits, ...limit })).rejects.toThrow('The tarball is too large');
    }
    expect([...(await readTarball(many)).keys()]).toEqual(['a', 'b']);
    await expect(readTarball(Buffer.from('no'))).rejects.toThrow('This is not a tarball');
    await expect(readPackage(makeTarball([{ path: 'package/x' }]), 'x.tgz')).rejects.toThrow('not an addon');
    const lacking = { 'package.json': '{"name":"x","dependencies":{"left":"1"}}' };
    await expect(readPackage(addonTarball('crates', {}, lacking), 'x.tgz')).rejects.toThrow('does not include: left');
  });
});

describe('added addons', () => {
  it('PKG-9 are packed, added with their checksum, installed, upgraded and removed by command', async () => {
    const source = join(folder, 'crates');
    for (const [path, content] of await readTarball(addonTarball('crates'))) save(join('crates', path), content);
    writeFileSync(
      join(source, 'package.json'),
      '{"name":"kontor-crates","version":"1.0.0","scripts":{"prepack":"touch ran"}}',
    );
    const packed = await run(pack, [source], { out: folder, 'no-check': '' });
    const [integrity = ''] = /sha512-\S{88}/.exec(packed) ?? [];
    expect(existsSync(join(source, 'ran'))).toBe(false);

    const file = join(folder, 'kontor-crates-1.0.0.tgz');
    const other = { integrity: integrity.replace('sha512-', 'sha512-A') };
    await expect(run(add, [file], other)).rejects.toThrow('has the wrong checksum');
    expect(await run(add, [file], { integrity })).toContain('Install it under Apps');
    expect(await entryOf('crates')).toMatchObject({
      version: '1.0.0',
      state: 'uninstalled',
      added: { from: 'kontor-crates-1.0.0.tgz', integrity },
    });
    expect(await change('install', 'crates')).toBe(200);
    const id = await admin.rpc<number>('crates.thing', 'create', [{ name: 'Apples' }]);

    expect(await run(add, [source])).toContain('kontor upgrade crates');
    await expect(run(remove, ['crates'])).rejects.toThrow('kontor remove crates --uninstall');
    expect(await admin.rpc('crates.thing', 'read', [[id], ['name']])).toMatchObject([{ name: 'Apples' }]);
    const env = { KONTOR_DB_DSN: world.dsn, KONTOR_ADDONS_DIR: addons };
    const removed = await runBuilt(['remove', 'crates', '--uninstall'], { env });
    expect([removed.code, removed.out]).toEqual([0, expect.stringContaining('crates: removed')]);
    expect(existsSync(join(addons, '.versions/crates'))).toBe(false);
    expect(await entryOf('crates')).toBeUndefined();
  });

  it('PKG-15 are checked as they are in the tarball, when they are packed and when they are added', async () => {
    const source = join(folder, 'sacks');
    for (const [path, content] of await readTarball(addonTarball('sacks'))) save(join('sacks', path), content);
    const addon = readFileSync(join(source, 'addon.ts'), 'utf8');
    writeFileSync(join(source, 'addon.ts'), `import './words.ts';\n${addon}`);
    writeFileSync(join(source, 'words.ts'), 'export const words = 1;\n');
    // npm packs only what `files` names.
    const files = ['manifest.json', 'addon.ts', 'models', 'security', 'views', 'data'];
    writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'kontor-sacks', version: '1.0.0', files }));
    const env = { KONTOR_DB_DSN: world.dsn, KONTOR_ADDONS_DIR: addons };
    const refused = (out: string) => expect.stringMatching(new RegExp(`cannot be installed:\n.*${out}`));
    const packing = await runBuilt(['pack', source, '--out', folder], { env });
    expect(packing).toMatchObject({
      code: 1,
      err: refused('sacks/addon\\.ts:1: .*words\\.ts.* "files" in package\\.json'),
    });
    expect(existsSync(join(folder, 'kontor-sacks-1.0.0.tgz'))).toBe(false);
    const adding = await runBuilt(['add', source], { env });
    expect(adding).toMatchObject({
      code: 1,
      err: refused('sacks/addon\\.ts:1: .*words\\.ts.* "files" in package\\.json'),
    });
    expect(existsSync(join(addons, 'sacks'))).toBe(false);
    writeFileSync(join(source, 'package.json'), '{"name":"kontor-sacks","version":"1.0.0"}');
    expect(await runBuilt(['add', source], { env })).toMatchObject({
      code: 0,
      out: expect.stringContaining('Install it under Apps'),
    });
    await run(remove, ['sacks']);
  });

  it('PKG-16 are packed into any folder, and leave nothing but the tarball, which no later package contains', async () => {
    const source = join(folder, 'bags');
    for (const [path, content] of await readTarball(addonTarball('bags'))) save(join('bags', path), content);
    writeFileSync(join(source, 'package.json'), '{"name":"kontor-bags","version":"1.0.0"}');
    const files = () => readdirSync(source, { recursive: true, encoding: 'utf8' }).sort();
    const before = files();
    const kontor = (...args: string[]) => runBuilt(args, { env: { KONTOR_DB_DSN: world.dsn }, cwd: source });
    expect(await kontor('pack', '-o', 'dist')).toMatchObject({
      code: 0,
      out: expect.stringContaining('kontor add dist/kontor-bags-1.0.0.tgz'),
    });
    expect(files()).toEqual([...before, 'dist', 'dist/kontor-bags-1.0.0.tgz'].sort());
    expect(await kontor('pack')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/would contain earlier ones \(dist\/kontor-bags-1\.0\.0\.tgz\).*\.npmignore/),
    });
    writeFileSync(join(source, '.npmignore'), '*.tgz\n');
    for (const _again of isLong ? [1, 2] : [1]) expect(await kontor('pack')).toMatchObject({ code: 0 });
    const packed = await readPackage(readFileSync(join(source, 'kontor-bags-1.0.0.tgz')), 'x.tgz');
    expect([...packed.files.keys()].filter((file) => file.endsWith('.tgz'))).toEqual([]);
    expect(await kontor('check', '.', '--no-types')).toMatchObject({
      code: 0,
      out: expect.stringContaining('no error'),
    });
  });

  it('PKG-10 are refused when they do not fit, with which addon asks for what, all of it at once', async () => {
    const pallets = { depends: ['crates@^1.2', 'shelves@~2.0'], kontor: '^2.0' };
    const both = [save('a.tgz', addonTarball('crates')), save('b.tgz', addonTarball('pallets', pallets))];
    const message = await run(add, both).catch((error: Error) => error.message);
    expect(message).toContain('"pallets" requires Kontor ^2.0, but this is Kontor 0.');
    expect(message).toContain('"pallets" requires crates ^1.2, but this is crates 1.0.0.');
    expect(message).toContain('"pallets" requires shelves ~2.0, which is missing.');
    expect(existsSync(join(addons, 'crates'))).toBe(false);

    const config = world.kernel.config;
    const packed = async (...given: Parameters<typeof addonTarball>) => readPackage(addonTarball(...given), 'x.tgz');
    await addAddons(config, [
      await packed('crates', { version: '1.4.0' }),
      await packed(
        'pallets',
        { depends: ['crates@^1.2'] },
        { 'addon.ts': `import { things } from '@addons/crates';\n${palletCode}` },
      ),
    ]);
    // Code of an addon from outside may import that of another, as its manifest says.
    expect(await change('install', 'pallets')).toBe(200);
    expect(await admin.rpc('pallets.thing', 'create', [{ name: 'Big' }])).toBeGreaterThan(0);
    const asks = '"pallets" requires crates ^1.2, but this is crates 2.0.0.';
    await expect(addAddons(config, [await packed('crates', { version: '2.0.0' })])).rejects.toThrow(asks);
    await expect(addAddons(config, [await packed('crates', { version: '1.3.0' })])).rejects.toThrow('newer than 1.3.0');
    await expect(addAddons(config, [await packed('sale')])).rejects.toThrow('"sale" is part of Kontor');
    expect(await change('uninstall', 'pallets')).toBe(200);
    expect(await change('uninstall', 'crates')).toBe(200);
    await expect(run(remove, ['crates'])).rejects.toThrow('These addons require "crates": pallets.');
  });

  it('PKG-11 come from a private registry, as the configuration of npm says', async () => {
    registry.publish('@acme/kontor-boxes', '1.1.0', addonTarball('boxes', { version: '1.1.0' }));
    registry.publish('@acme/kontor-boxes', '2.0.0', addonTarball('boxes', { version: '2.0.0', kontor: '^9.0' }));
    writeFileSync(join(folder, '.npmrc'), `@acme:registry=${registry.url}\n`);
    await expect(run(add, ['@acme/kontor-boxes@^1.0'])).rejects.toThrow('E401');
    writeFileSync(join(folder, '.npmrc'), registry.npmrc);
    expect(await run(add, ['@acme/kontor-boxes@^1.0'])).toContain('boxes 1.1.0');
    expect(await entryOf('boxes')).toMatchObject({ version: '1.1.0', added: { from: '@acme/kontor-boxes@1.1.0' } });
    await expect(run(add, ['git+https://127.0.0.1/x.git'])).rejects.toThrow(
      'not a tarball, a folder or a package name',
    );
  });

  it('PKG-12 are exchanged in one step, and a process keeps the version that it has loaded', async () => {
    const other = await world.another();
    expect(other.catalogue.get('boxes')?.manifest.version).toBe('1.1.0');
    expect(await change('install', 'boxes')).toBe(200);
    const before = realpathSync(join(addons, 'boxes'));
    const next = addonTarball('boxes', { version: '1.2.0' });
    const config = world.kernel.config;
    // Two at once, as two processes would.
    await Promise.all([0, 1].map(async () => addAddons(config, [await readPackage(next, 'boxes.tgz')])));
    expect(realpathSync(join(addons, 'boxes'))).not.toBe(before);
    expect(JSON.parse(readFileSync(join(before, 'manifest.json'), 'utf8')).version).toBe('1.1.0');
    expect(await admin.rpc('boxes.thing', 'create', [{ name: 'Box' }])).toBeGreaterThan(0);
    expect(await change('upgrade', 'boxes')).toBe(200);
    expect(world.kernel.catalogue.get('boxes')?.manifest.version).toBe('1.2.0');
    await expect.poll(() => other.catalogue.get('boxes')?.manifest.version).toBe('1.2.0');
  });

  it('PKG-13 come by the browser only where the operator allows it, from administrators, with their token', async () => {
    const send = (browser: Browser, tarball = addonTarball('tins'), token = browser.csrf) => {
      const form = new FormData();
      form.set('csrf_token', token);
      form.set('file', new Blob([tarball]), 'tins.tgz');
      return browser.fetch('/web/module/upload', {
        method: 'POST',
        body: form,
        headers: { accept: 'application/json' },
      });
    };
    const { browser: kim } = await world.user('Kim Berg');
    expect((await send(kim)).status).toBe(403);
    expect((await send(admin, addonTarball('tins'), 'x')).status).toBe(403);
    expect((await send(new Browser(world.url))).status).toBe(401);
    expect(await entryOf('tins')).toBeUndefined();
    const added = await send(admin);
    expect([added.status, await added.json()]).toMatchObject([200, { result: { name: 'tins', version: '1.0.0' } }]);
    expect(await entryOf('tins')).toMatchObject({ state: 'uninstalled', added: { from: 'tins.tgz' } });
    const climbing = await Browser.errorOf(await send(admin, makeTarball([{ path: 'package/../x' }])));
    expect(climbing.message).toContain('leads out of its folder');

    expect((await kim.json('/web/module/remove', { module: 'tins' })).status).toBe(403);
    const used = await Browser.errorOf(await admin.json('/web/module/remove', { module: 'boxes' }));
    expect(used.message).toBe('"boxes" is installed: uninstall it first.');
    expect((await admin.json('/web/module/remove', { module: 'tins' })).status).toBe(200);
    expect(await entryOf('tins')).toBeUndefined();

    const usual = await startTestServer();
    try {
      const boss = await usual.signedIn();
      expect((await catalogue(boss)).mayAdd).toBe(false);
      expect((await send(boss)).status).toBe(404);
      expect((await boss.json('/web/module/remove', { module: 'boxes' })).status).toBe(404);
    } finally {
      await usual.close();
    }
  });
});

const palletCode = `import { defineAddon, defineModel } from '@kontor/addon';
export default defineAddon({ models: [defineModel('pallets.thing', { label: 'Pallet', fields: things })] });
`;
