import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, preparedDatabase, type TestDatabase, testAdmin } from '@kontor/testing';
import { type BrowserContext, chromium } from 'playwright-core';
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
  start();
});
afterAll(async () => {
  await context?.browser()?.close();
  await stop();
  await data.drop();
  rmSync(folder, { recursive: true, force: true });
});

function start(): void {
  const flags = ['dev', 'library', '-d', data.dsn, '-p', '0', '--data-dir', join(folder, 'kept')];
  server = spawn(process.execPath, [join(root, 'bin/kontor.mjs'), ...flags], {
    cwd: folder,
    env: { PATH: process.env.PATH, KONTOR_TEST_RUN: process.env.KONTOR_TEST_RUN },
  });
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      for (const look of waiting) look();
    });
  }
}

async function stop(): Promise<void> {
  const ended = new Promise((resolve) => server.once('close', resolve));
  server.kill('SIGTERM');
  await ended;
}

let context: BrowserContext | undefined;

/** A page of somebody who is signed in. */
async function openPage(browser: Browser) {
  const executablePath = process.env.KONTOR_TEST_CHROMIUM ?? '/usr/bin/chromium';
  context = await (await chromium.launch({ executablePath, args: ['--no-sandbox'] })).newContext();
  await context.addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: browser.url })));
  const page = await context.newPage();
  await page.goto(`${browser.url}/web/home`);
  return page;
}

describe('kontor dev', () => {
  it('DEV-4 DEV-5 upgrades in place when a file is saved, shows all mistakes of a round in the page, and goes on', async () => {
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

    const page = await openPage(browser);
    const overlay = page.getByRole('alert', { name: '2 errors in the addon' });
    const follows = () => page.waitForResponse(/\/web\/dev\/round$/);
    await Promise.all([follows(), page.reload()]);
    edit('views/entry.xml', (text) => text.replaceAll('name="date_due"', 'name="date_deu"'));
    await heard(/library: 2 errors/);
    await overlay.waitFor();
    expect(await overlay.locator('li').allTextContents()).toEqual([
      expect.stringMatching(/library\/views\/entry\.xml:5.*no field "date_deu".*Did you mean "date_due"\?/),
      expect.stringMatching(/library\/views\/entry\.xml:16.*Did you mean "date_due"\?/),
    ]);
    expect(await browser.rpc('library.entry', 'read', [[id], ['name']])).toMatchObject([{ name: 'Lamp' }]);

    const mended = follows();
    edit('views/entry.xml', (text) =>
      text.replaceAll('name="date_deu"', 'name="shelf"').replaceAll(' widget="library_days"', ''),
    );
    await heard(/library: ready in/);
    await mended;
    // The page loads itself anew, without it.
    expect(await overlay.count()).toBe(0);

    const anew = follows();
    edit('models/entry.ts', (text) =>
      text
        .replace(
          '=> [name, contact',
          "=> { if (name === 'bad') throw new Error('No such summary.'); return [name, contact",
        )
        .replace(".join(', '),", ".join(', '); },"),
    );
    await heard(/library: ready in/);
    await anew;
    const bad = await browser.rpc<number>('library.entry', 'create', [{ name: 'bad' }]);
    const asked = JSON.stringify({ model: 'library.entry', method: 'read', args: [[bad], ['summary']] });
    await page.evaluate(`fetch('/api/rpc', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': __WC_BOOTSTRAP__.csrfToken },
      body: ${JSON.stringify(asked)},
    })`);
    const failure = page.getByRole('alert', { name: 'An addon failed' });
    expect(await failure.textContent()).toMatch(
      /library\/models\/entry\.ts:\d+The compute of library\.entry\.summary failed: No such summary\./,
    );
  });

  it('DEV-6 shows what is wrong in the place of a server that cannot start, and starts once it is mended', async () => {
    await stop();
    const text = readFileSync(join(library, 'addon.ts'), 'utf8');
    edit('addon.ts', () => text.replace('./models/entry.ts', './models/entri.ts'));
    start();
    const [, url = ''] = await heard(/Errors are shown on (\S+)/);
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('library/addon.ts:2')]);
    edit('addon.ts', () => text);
    await heard(/Kontor is ready: \S+/);
    await heard(/library: ready in/);
  });
});
