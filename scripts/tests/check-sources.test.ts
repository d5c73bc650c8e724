import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// A script without types of its own.
const { startCheck, isUnchanged } = (await import(join(import.meta.dirname, '../check-sources.cjs'))) as {
  startCheck(root: string): () => void;
  isUnchanged(root: string): Promise<boolean>;
};

const files = {
  'packages/kernel/index.ts': 'export {};',
  'packages/kernel/notes.txt': 'read by no build',
  'packages/kernel/tests/index.test.ts': 'read by no build',
  'apps/server/main.ts': 'export {};',
  'apps/web/shell.css': 'body {}',
  'addons/sale/client/widget.tsx': 'export {};',
  'scripts/build.mjs': '',
  'package.json': '{}',
  'package-lock.json': '{}',
  'dist/.stamp': 'of the server',
  'dist/.web-stamp': 'of the client',
};

let root = '';
const at = (path: string): string => join(root, path);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'check-sources-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
  startCheck(root)();
  // As if the files were older than the look, by more than the clock of a file system may be wrong.
  noteTime = (Math.max(...Object.keys(files).map((path) => statSync(at(path)).ctimeMs)) + 1) / 1_000;
  utimesSync(at('dist/.checked'), noteTime, noteTime);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
let noteTime = 0;

/** Does it until the clock of the file system has gone on. */
function change(path: string, how: () => void): void {
  do how();
  while (statSync(at(path)).ctimeMs <= noteTime * 1_000 + 1);
}

describe('GEN-14 a start knows without looking that nothing changed', () => {
  it('since all was looked at and built', async () => {
    expect(await isUnchanged(root)).toBe(true);
  });

  it.each(['packages/kernel/notes.txt', 'packages/kernel/tests/index.test.ts', 'dist/.web-builds.json'])(
    'but %s, which no build reads',
    async (path) => {
      change(path, () => writeFileSync(at(path), 'other'));
      expect(await isUnchanged(root)).toBe(true);
    },
  );
});

describe('GEN-14 and looks for itself', () => {
  it.each([
    ...['packages/kernel/index.ts', 'apps/web/shell.css', 'addons/sale/client/widget.tsx'],
    ...['scripts/build.mjs', 'package.json', 'package-lock.json'],
  ])('where %s was written to, even if it has its old time and length', async (path) => {
    change(path, () => {
      const { atime, mtime } = statSync(at(path));
      writeFileSync(at(path), readFileSync(at(path), 'utf8').replace(' ', '\t'));
      utimesSync(at(path), atime, mtime);
    });
    expect(await isUnchanged(root)).toBe(false);
  });

  it('where a file went, and the folder has its old time', async () => {
    const folder = 'packages/kernel';
    change(folder, () => {
      const { atime, mtime } = statSync(at(folder));
      rmSync(at(`${folder}/index.ts`), { force: true });
      utimesSync(at(folder), atime, mtime);
    });
    expect(await isUnchanged(root)).toBe(false);
  });

  it('where an old file came from elsewhere', async () => {
    change('addons/sale', () => {
      writeFileSync(at('package.ts'), '');
      renameSync(at('package.ts'), at('addons/sale/addon.ts'));
    });
    expect(await isUnchanged(root)).toBe(false);
  });

  it.each(['dist/.stamp', 'dist/.web-stamp'])('where %s is of another build than was looked at', async (path) => {
    writeFileSync(at(path), 'of another');
    expect(await isUnchanged(root)).toBe(false);
  });

  it('where nobody has looked, in another folder, or with another version of Node', async () => {
    const note = readFileSync(at('dist/.checked'), 'utf8');
    expect(note).toContain(root);
    for (const known of [root, process.version]) {
      writeFileSync(at('dist/.checked'), note.replace(known, 'another'));
      expect(await isUnchanged(root)).toBe(false);
    }
    rmSync(at('dist/.checked'));
    expect(await isUnchanged(root)).toBe(false);
  });

  it('where a folder is missing, or there is no program to ask', async () => {
    const { PATH } = process.env;
    process.env.PATH = root;
    try {
      expect(await isUnchanged(root)).toBe(false);
    } finally {
      process.env.PATH = PATH;
    }
    rmSync(at('apps/web'), { recursive: true });
    expect(await isUnchanged(root)).toBe(false);
  });

  it('where the look before was not kept, since something was not built', async () => {
    rmSync(at('dist/.checked'));
    startCheck(root);
    expect(await isUnchanged(root)).toBe(false);
  });
});
