import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, preparedDatabase, type TestDatabase, testAdmin } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'kontor-dev-'));
const library = join(folder, 'library');
let data: TestDatabase;
let server: ChildProcess;
let said = '';
const waiting = new Set<() => void>();

/** Waits until the output since the last wait matches. */
function heard(pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) => {
    const look = () => {
      const found = pattern.exec(said);
      if (!found) return;
      said = said.slice(found.index + found[0].length);
      waiting.delete(look);
      resolve(found);
    };
    waiting.add(look);
    look();
  });
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(join(library, file), change(readFileSync(join(library, file), 'utf8')));
}

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, 'packages/create-kontor/create-kontor.mjs'), 'library'], { cwd: folder });
  data = await createTestDatabase({ template: await preparedDatabase({}) });
  const flags = ['dev', 'library', '-d', data.dsn, '-p', '0', '--data-dir', join(folder, 'kept')];
  server = spawn(process.execPath, [join(root, 'bin/kontor.mjs'), ...flags], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      for (const look of waiting) look();
    });
  }
});
afterAll(async () => {
  const ended = new Promise((resolve) => server.once('close', resolve));
  server.kill('SIGTERM');
  await ended;
  await data.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe('kontor dev', () => {
  it('DEV-4 upgrades an addon in place when a file is saved, says all mistakes of a round at once, and goes on', async () => {
    const [, url = ''] = await heard(/Kontor is ready: (\S+)/);
    await heard(/library: ready in/);
    const browser = new Browser(url);
    await browser.signIn(testAdmin.email, testAdmin.password);
    const id = await browser.rpc<number>('library.entry', 'create', [{ name: 'Lamp' }]);

    edit('models/entry.ts', (text) =>
      text.replace('  note: fields', "  shelf: fields.char({ label: 'Shelf', default: 'A1' }),\n  note: fields"),
    );
    await heard(/library: ready in/);
    expect(await browser.rpc('library.entry', 'create', [{ name: 'Desk', shelf: 'B2' }])).toBeGreaterThan(id);

    edit('views/entry.xml', (text) => text.replaceAll('name="date_due"', 'name="date_deu"'));
    await heard(/library: 2 errors/);
    expect(await browser.rpc('library.entry', 'read', [[id], ['name']])).toMatchObject([{ name: 'Lamp' }]);

    edit('views/entry.xml', (text) =>
      text.replaceAll('name="date_deu"', 'name="shelf"').replaceAll(' widget="library_days"', ''),
    );
    await heard(/library: ready in/);
  });
});
