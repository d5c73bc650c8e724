import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './find-chromium.mjs';
import { mutations } from './mutations.mjs';
import { ruleMutations } from './rule-mutations.mjs';

/**
 * Breaks a copy of the program on purpose, in one place at a time, and reports which breaks the tests notice. `npm run mutate`
 * tries all of them, `npm run mutate -- csrf lockout` those whose name contains one of the words, and `npm run mutate -- --places`
 * only checks that every place still exists.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const all = [...mutations, ...ruleMutations];
const chosen = all.filter(({ breaks }) => words.length === 0 || words.some((word) => breaks.includes(word)));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const sources = files.filter(
  (file) => /\.(ts|tsx|mjs|csv|xml)$/.test(file) && !/(^|\/)tests\/|^scripts\/|^bench\//.test(file),
);
/** Only what hangs takes so long. */
const limitMs = 15 * 60_000;

const places = new Map(chosen.map((mutation) => [mutation, placeOf(mutation)]));
const lost = [...places].filter(([, place]) => typeof place === 'string');
for (const [{ breaks }, problem] of lost) console.error(`${breaks}: ${problem}`);
console.log(`${places.size - lost.length} of ${places.size} places are there`);
if (lost.length > 0 || process.argv.includes('--places')) process.exit(lost.length === 0 ? 0 : 1);

const copy = mkdtempSync(join(tmpdir(), 'kontor-mutate-'));
/** The group of the tests that run now: they have processes of their own. */
let running = 0;
process.on('exit', () => {
  endTests();
  rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
copyTree();
await checkWhole();
const results = [];
for (const [mutation, place] of places) results.push(await tryOut(mutation, place));
const caught = results.filter(({ isCaught }) => isCaught).length;
mkdirSync(join(root, '.cache'), { recursive: true });
writeFileSync(join(root, '.cache/mutations.json'), JSON.stringify(results, null, 2));
console.log(`${caught} of ${results.length} breaks were noticed`);
process.exit(caught === results.length ? 0 : 1);

/** The single file with the text and its existing tests, or the mistake. */
function placeOf({ from, tests }) {
  const found = sources.filter((file) => readFileSync(join(root, file), 'utf8').includes(from));
  if (found.length !== 1) return found.length === 0 ? 'the text is nowhere' : `the text is in ${found.join(', ')}`;
  const [file] = found;
  if (readFileSync(join(root, file), 'utf8').split(from).length !== 2) return `the text is in ${file} several times`;
  const own = tests.flatMap((end) => files.filter((each) => each.endsWith(`/${end}`)));
  return own.length === 0 ? `there is none of its tests: ${tests.join(', ')}` : { file, tests: own };
}

/** Packages of this repository are the copy's own; others are used where they are. */
function copyTree() {
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  for (const folder of ['node_modules', ...files.map(dirname)]) linkPackages(folder === 'node_modules' ? '.' : folder);
}

function linkPackages(folder) {
  const from = join(root, folder, 'node_modules');
  const to = join(copy, folder, 'node_modules');
  if (!existsSync(from) || existsSync(to)) return;
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (!name.startsWith('@')) link(join(from, name), join(to, name));
    else {
      mkdirSync(join(to, name));
      for (const scoped of readdirSync(join(from, name))) link(join(from, name, scoped), join(to, name, scoped));
    }
  }
}

function link(from, to) {
  symlinkSync(lstatSync(from).isSymbolicLink() ? readlinkSync(from) : from, to);
}

/** A test that fails anyway notices nothing. */
async function checkWhole() {
  const tests = [...new Set([...places.values()].flatMap((place) => place.tests))];
  const { failed, isOver } = await runTests(tests, { isBuilt: chosen.some(({ isBuilt }) => isBuilt), bail: 0 });
  if (!isOver && failed.length === 0) return console.log(`${tests.length} files of tests pass on the whole program`);
  console.error(`These fail on the whole program too:\n${failed.join('\n')}`);
  process.exit(1);
}

async function tryOut({ breaks, from, to, isBuilt }, { file, tests }) {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  const began = Date.now();
  writeFileSync(
    path,
    whole.replace(from, () => to),
  );
  const { failed, isOver } = await runTests(tests, { isBuilt, bail: 1 });
  writeFileSync(path, whole);
  const isCaught = isOver || failed.length > 0;
  const seconds = Math.round((Date.now() - began) / 1000);
  const how = isOver ? 'they never ended' : (failed[0] ?? 'NOBODY NOTICED');
  console.log(`${isCaught ? 'caught ' : 'MISSED '} ${breaks} (${file}, ${seconds} s): ${how}`);
  return { breaks, file, tests, isCaught, how, seconds };
}

/** Names of the tests that failed, and whether they had to be ended. */
async function runTests(tests, { isBuilt = false, bail }) {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    `--bail=${bail}`,
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const build = isBuilt ? ['node scripts/build.mjs'] : [];
  const command = [...build, `node ${[...vitest, ...tests].join(' ')}`].join(' && ');
  const env = { ...process.env, NODE_ENV: 'test', KONTOR_TEST_LONG: '1', KONTOR_TEST_CHROMIUM: findChromium() };
  const child = spawn('sh', ['-c', command], { cwd: copy, env, stdio: 'ignore', detached: true });
  running = child.pid;
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    endTests();
  }, limitMs);
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  running = 0;
  return { isOver, failed: isOver ? [] : failuresIn(report) };
}

function endTests() {
  if (running === 0) return;
  try {
    process.kill(-running, 'SIGKILL');
  } catch {
    // They have ended in the meantime.
  }
}

function failuresIn(report) {
  if (!existsSync(report)) throw new Error('The tests could not be run at all: is the broken program still a program?');
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === 'failed').map(({ fullName }) => fullName);
    return failed.length > 0 || status !== 'failed' ? failed : [`${name.slice(copy.length + 1)}: ${message}`];
  });
}
