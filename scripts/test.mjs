import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildServer } from './build.mjs';
import { buildWeb } from './build-web.mjs';
import { findChromium } from './find-chromium.mjs';
import { isWebBuilt } from './source-stamp.mjs';

/**
 * The whole suite: builds the server the way `npm start` does, finds a browser, and runs every test. With `--long`, what
 * takes long is done whole: every wrong value, every random body, more kills; and afterwards the program is broken on purpose.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const report = new URL('../.cache/tests.json', import.meta.url);

await mkdir(new URL('../.cache', import.meta.url), { recursive: true });
await Promise.all([buildServer(), isWebBuilt() || buildWeb()]);
const chromium = findChromium();
const isLong = process.argv.includes('--long');
const given = process.argv.slice(2).filter((argument) => argument !== '--long');
const vitest = spawn(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${fileURLToPath(report)}`,
    ...given,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', KONTOR_TEST_CHROMIUM: chromium, KONTOR_TEST_LONG: isLong ? '1' : '' },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest.kill(signal));
const status = await new Promise((resolve) => vitest.once('exit', resolve));
const { numPassedTests = 0, numFailedTests = 0, numFailedTestSuites = 0 } = readReport();
const failed = Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0, status === 0 ? 0 : 1);
console.log(`${numPassedTests} passed, ${failed} failed`);
const isGood = failed === 0 && numPassedTests > 0;
if (isGood && isLong && given.length === 0) await import('./mutate.mjs');
else process.exit(isGood ? 0 : 1);

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return {};
  }
}
