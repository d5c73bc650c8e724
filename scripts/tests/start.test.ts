import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { long } from '@kontor/testing/long';
import { afterEach, beforeEach, expect } from 'vitest';

const own = ['start.cjs', 'check-sources.cjs', 'source-stamp.mjs', 'end-with-parent.cjs'];

/** A tree with the real script and its look, and a build that takes no time: what it makes tells of what happens to it. */
const files = {
  'packages/kernel/index.ts': '',
  'packages/kernel/addons/browser/part.ts': '',
  'packages/protocol/index.ts': '',
  'apps/server/main.ts': '',
  'apps/web/shell.css': '',
  'addons/sale/client/widget.tsx': '',
  'addons/sale/page/page.css': '',
  'scripts/build-web.mjs': '',
  'scripts/build-addon-clients.mjs': '',
  'package.json': '{ "type": "module" }',
  'package-lock.json': '{}',
  'scripts/build.mjs': `
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { sourceStamp, webStamp } from './source-stamp.mjs';
    console.log(['build', ...process.argv.slice(2)].join(' '));
    mkdirSync('dist/start', { recursive: true });
    writeFileSync('dist/start/early.cjs', \`exports.bootstrapEarly = (argv) => {
      console.log('begin', ...argv);
      return { database: { giveUp: async () => console.log('give up') } };
    };\`);
    writeFileSync('dist/start/main.cjs', "exports.main = async (argv, begun) => console.log(begun ? 'go on' : 'start', ...argv);");
    writeFileSync('dist/.stamp', sourceStamp(process.cwd()));
    writeFileSync('dist/.web-stamp', webStamp());`,
};

let root = '';
const at = (path: string): string => join(root, path);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'start-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
  for (const name of own) cpSync(join(import.meta.dirname, '..', name), at(`scripts/${name}`));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What a start did, in order. */
function start(env: Readonly<Record<string, string>> = {}): { readonly status: number | null; readonly did: string[] } {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/start.cjs', '-p', '0'], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
  });
  return { status, did: stdout.toString().trim().split('\n').filter(Boolean) };
}

const builtNothing = { status: 0, did: ['begin -p 0', 'go on -p 0'] };

long('GEN-14 a start builds what is not built, and goes on with what it began where all is', () => {
  expect(start()).toEqual({ status: 0, did: ['build', 'start -p 0'] });
  expect(start()).toEqual(builtNothing);
  expect(readFileSync(at('dist/.checked'), 'utf8')).toContain(process.version);
  expect(start()).toEqual(builtNothing);
});

long('GEN-14 a start on changed sources gives up what it began, builds that part and runs what was built', () => {
  start();
  for (const [source, part] of [
    ['apps/server/main.ts', 'server'],
    ['apps/web/shell.css', 'web'],
    ['addons/sale/client/widget.tsx', 'web'],
    ['addons/sale/page/page.css', 'web'],
    ['scripts/start.cjs', 'server'],
  ] as const) {
    writeFileSync(at(source), `${readFileSync(at(source), 'utf8')}\n`);
    expect(start()).toEqual({ status: 0, did: ['begin -p 0', 'give up', `build ${part}`, 'start -p 0'] });
  }
  expect(start()).toEqual(builtNothing);
});

long('GEN-14 a start that may not build, or whose build fails, runs nothing', () => {
  start();
  writeFileSync(at('packages/kernel/index.ts'), 'export {};');
  expect(start({ KONTOR_TEST_RUN: '1' })).toEqual({ status: 1, did: ['begin -p 0', 'give up'] });
  writeFileSync(at('scripts/build.mjs'), 'process.exit(3);');
  expect(start()).toEqual({ status: 3, did: ['begin -p 0', 'give up'] });
});
