import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { discoverAddons } from '@kontor/kernel';
import { type Command, UsageError } from './command.ts';

export const testAddon: Command = {
  name: 'test',
  takes: '[DIR] [FILTER]',
  help: 'Runs the tests of the addon in DIR, or here, on a separate PostgreSQL and in a browser.',
  details: `Requires the package @kontor/testing in the addon. FILTER is a part of the names of test files. KONTOR_TEST_DSN names a
PostgreSQL to use instead of the embedded one, KONTOR_TEST_CHROMIUM the browser. Your own vitest.config.ts is used
if there is one; it can extend that of @kontor/testing/vitest.config.`,
  words: [0, 2],
  options: [{ name: 'watch', short: 'w', help: 'Run them again when a file changes.' }],
  async run({ config, words, has }) {
    const folder = resolve(words[0] ?? '.');
    const own = await discoverAddons([{ folder, isShipped: false }]);
    if (own.size === 0) throw new UsageError(`There is no addon in ${folder}.`);
    const addons = [...new Set([...config.addonsPath, folder])].join(',');
    const locate = createRequire(join(folder, 'package.json'));
    const runner = find(locate, 'vitest/package.json').replace(/package\.json$/, 'vitest.mjs');
    const settings = find(locate, '@kontor/testing/vitest.config');
    const env = { ...process.env, NODE_ENV: 'test', KONTOR_TEST_ADDONS: addons, NODE_OPTIONS: '--enable-source-maps' };
    const flags = [has('watch') ? 'watch' : 'run', '--root', folder, '--config', settings];
    const child = spawn(process.execPath, [runner, ...flags, ...words.slice(1)], {
      cwd: folder,
      env,
      stdio: 'inherit',
    });
    const code = await new Promise<number | null>((done) => child.once('close', done));
    if (code !== 0) throw new Error('Not all tests passed.');
  },
};

function find(locate: NodeJS.Require, name: string): string {
  try {
    return locate.resolve(name);
  } catch {
    const packageName = name.startsWith('@') ? name.split('/', 2).join('/') : (name.split('/', 1)[0] as string);
    throw new Error(`${packageName} is not installed: npm install --save-dev @kontor/testing`);
  }
}
