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
const { numPassedTests = 0, numFailedTests = 0, numFailedTestSuites = 0, testResults = [] } = readReport();
const isWhole = given.length === 0 && !isLong;
const unshown = isWhole && status === 0 ? rulesWithoutTest(testResults) : [];
for (const rule of unshown) console.error(`docs/rules.md: no test that ran quotes ${rule}`);
const failed = Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0, status === 0 ? 0 : 1) + unshown.length;
console.log(`${numPassedTests} passed, ${failed} failed`);
const isGood = failed === 0 && numPassedTests > 0;
if (isGood && isLong && given.length === 0) await import('./mutate.mjs');
else process.exit(isGood ? 0 : 1);

/** Each rule is shown by a test that ran, unless it says that only the long run shows it. */
function rulesWithoutTest(files) {
  const passed = files.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'passed');
  const quoted = new Set(passed.flatMap(({ fullName }) => fullName.match(/[A-Z]{2,4}-\d+/g) ?? []));
  const [built] = readFileSync(new URL('../docs/rules.md', import.meta.url), 'utf8').split(/^## To come$/m);
  return [...built.matchAll(/^\| ([A-Z]{2,4}-\d+) \|(?!.*\(long run\))/gm)]
    .map(([, id]) => id)
    .filter((id) => !quoted.has(id));
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return {};
  }
}
