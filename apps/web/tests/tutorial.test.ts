import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { long, openTestApp } from './browser.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Under the packages of the tree, so that its tests find them; and where there are none. */
const folder = join(root, '.cache/tutorial/library');
const outside = join(mkdtempSync(join(tmpdir(), 'kontor-tutorial-')), 'library');
const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
const files = [...page.matchAll(/^`([^`\n]+)`\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => ({
  name,
  text,
}));

/** As a reader does it: the scaffold, without its example, then each file of the page. */
function follow(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  spawnSync(process.execPath, [join(root, 'packages/create-kontor/create-kontor.mjs'), 'library'], {
    cwd: dirname(folder),
  });
  const [, left = ''] = /^rm -r (.*)$/m.exec(page) ?? [];
  for (const name of left.split(' ')) rmSync(join(folder, name), { recursive: true });
  for (const { name, text } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

follow(folder);
follow(outside);
// What the scaffold's own names is in the packed package alone.
writeFileSync(join(folder, 'tsconfig.json'), '{ "extends": "../../../tsconfig.json" }');
process.env.KONTOR_TEST_ADDONS = folder;
afterAll(() => {
  delete process.env.KONTOR_TEST_ADDONS;
  rmSync(dirname(outside), { recursive: true, force: true });
});

describe('REF-4 the tutorial', () => {
  it('has every file that its addon needs', () => {
    expect(files.length).toBeGreaterThan(15);
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['addon.ts', 'manifest.json', 'remind.ts']));
  });

  long('has nothing that kontor check objects to', () => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/kontor.mjs'), 'check', outside], {
      cwd: outside,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, KONTOR_ADDONS_PATH: '', KONTOR_TEST_RUN: process.env.KONTOR_TEST_RUN },
    });
    expect(`${stdout}${stderr}`).toContain('library: no error');
  });

  long('lends a book and takes it back on screen', async () => {
    const app = await openTestApp({ apps: ['library'], demo: true, addonsPath: [folder] });
    const desk = await app.open({ path: '/web/home' });
    await desk.click(desk.find('link', /Library/).first());
    await desk.click(desk.page.getByRole('row').filter({ hasText: 'Emma' }));
    await desk.click(desk.find('button', 'Lend'));
    const dialog = desk.find('dialog');
    await dialog.getByRole('combobox', { name: 'Member' }).fill('Ada');
    await desk.idle();
    await desk.click(desk.find('option', /Ada Lovelace \(L0001\)/));
    await desk.click(dialog.getByRole('button', { name: 'Lend' }));
    await desk.click(desk.find('button', 'Give back'));
    const [loan] = await app.rpc<object[]>('library.loan', 'search_read', [[], ['state', 'book_id.name']]);
    expect(loan).toMatchObject({ state: 'back', 'book_id.name': 'Emma' });
    expect(desk.problems).toEqual([]);
    await app.close();
  });

  describe('its own tests', async () => {
    await import(/* @vite-ignore */ join(folder, 'tests/loan.test.ts'));
    await import(/* @vite-ignore */ join(folder, 'tests/addon.test.ts'));
  });
});
