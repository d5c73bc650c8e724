import { type ExecFileSyncOptions, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'kontor-author-'));
const library = join(folder, 'library');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing of the run around it, whose database and addons are not the author's. */
const env = Object.fromEntries(
  Object.entries({ ...process.env, NO_COLOR: '1' }).filter(
    ([name]) => !/^(KONTOR_(?!TEST_CHROMIUM)|VITEST|NODE_ENV)/.test(name),
  ),
);

function run(command: string, args: readonly string[], options: ExecFileSyncOptions = {}) {
  const { stdout, stderr, status } = spawnSync(command, [...args], { cwd: library, encoding: 'utf8', env, ...options });
  return { status, said: `${stdout}${stderr}` };
}

/** Someone who has Node, npm and our tarballs, and nothing of this tree. */
describe.runIf(isLong)('PKG-3 an author with our packages alone', () => {
  beforeAll(() => {
    const { KONTOR_TEST_PACKAGES } = process.env;
    const packages = KONTOR_TEST_PACKAGES ?? join(folder, 'packages');
    if (!KONTOR_TEST_PACKAGES) {
      const code = `import('./scripts/packages/pack-all.mjs').then(({ packAll }) => packAll(${JSON.stringify(packages)}))`;
      execFileSync(process.execPath, ['-e', code], { cwd: root, stdio: 'ignore' });
    }
    const starter = join(packages, readdirSync(packages).find((name) => /^create-kontor.*\.tgz$/.test(name)) as string);
    const create = ['exec', '--yes', '--package', starter, '--', 'create-kontor', 'library', '--packages', packages];
    execFileSync('npm', create, { cwd: folder, stdio: 'ignore' });
    execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: library, stdio: 'ignore' });
  }, 900_000);

  it('checks what it began with, types included, and gives the editor its schema', () => {
    expect(run('npm', ['run', 'check'])).toMatchObject({
      status: 0,
      said: expect.stringContaining('library: no error'),
    });
    expect(readFileSync(join(library, '.kontor/views.xsd'), 'utf8')).toContain('<xs:enumeration value="partner_id"/>');
  });

  it('brings maps and types, and no address of this machine', () => {
    const kontor = join(library, 'node_modules/kontor/dist/package/dist/server');
    expect(existsSync(join(kontor, 'main.js.map'))).toBe(true);
    expect(existsSync(join(library, 'node_modules/@kontor/addon/types/addons/sale/addon.d.ts'))).toBe(true);
    const types = readdirSync(join(library, 'node_modules/@kontor/addon/types'), { recursive: true, encoding: 'utf8' });
    const texts = types.filter((name) => name.endsWith('.d.ts'));
    expect(texts.length).toBeGreaterThan(100);
    const named = texts.filter((name) =>
      readFileSync(join(library, 'node_modules/@kontor/addon/types', name), 'utf8').includes(root.replace(/\/$/, '')),
    );
    expect(named).toEqual([]);
  });

  it('finds a misspelt field in code and in a view in one run', () => {
    const file = join(library, 'tests/entry.test.ts');
    const [text, view] = [readFileSync(file, 'utf8'), readFileSync(join(library, 'views/entry.xml'), 'utf8')];
    writeFileSync(file, text.replace("create({ name: 'Desk' })", "create({ nmae: 'Desk' })"));
    writeFileSync(join(library, 'views/entry.xml'), view.replace('name="summary"', 'name="sumary"'));
    const { status, said } = run('npx', ['kontor', 'check']);
    writeFileSync(file, text);
    writeFileSync(join(library, 'views/entry.xml'), view);
    expect(status).toBe(1);
    expect(said).toMatch(/tests\/entry\.test\.ts:\d+: .*nmae/);
    expect(said).toMatch(/views\/entry\.xml:\d+: .*no field "sumary".*\n\s+Did you mean "summary"\?/);
  });

  it('passes its tests on a database of its own and in a browser', () => {
    const { status, said } = run('npm', ['test']);
    expect(said).toMatch(/Tests\s+(\d+) passed \(\1\)/);
    expect(status).toBe(0);
  });

  it('PKG-9 is packed, and taken in by a Kontor that has nothing but the package', () => {
    const packed = run('npm', ['run', 'package']);
    expect([packed.said, packed.status]).toEqual([expect.stringContaining('kontor-library-1.0.0.tgz'), 0]);
    const [integrity = ''] = /sha512-\S{88}/.exec(packed.said) ?? [];
    const place = ['--data-dir', join(folder, 'elsewhere')];
    const tarball = join(library, 'kontor-library-1.0.0.tgz');
    const added = run('npx', ['kontor', 'add', tarball, '--integrity', integrity, ...place], { cwd: library });
    expect([added.said, added.status]).toEqual([expect.stringContaining('library 1.0.0'), 0]);
    const started = run('npx', ['kontor', 'start', '-i', 'library', '--stop-after-init', ...place]);
    expect(started.status, started.said).toBe(0);
    const refused = run('npx', ['kontor', 'remove', 'library', ...place]);
    expect([refused.said, refused.status]).toEqual([expect.stringContaining('--uninstall'), 1]);
  });
});
