const { spawn } = require('node:child_process');
const { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const stampFile = 'dist/.stamp';
const webStampFile = 'dist/.web-stamp';
const serverFolders = ['packages', 'apps/server', 'addons', 'scripts'];
const skippedByAll = ['node_modules', 'dist', 'tests'];
/** All that the build reads is in one of these, or is one. */
const sources = [...serverFolders, 'apps/web', 'package.json', 'package-lock.json'];
const noteFile = 'dist/.looked';
/** Some file systems count time in steps of two seconds. */
const stepSeconds = 2;
const endings = ['ts', 'tsx', 'mjs', 'cjs', 'json', 'css', 'svg', 'png', 'webp'];

/**
 * Whether nothing has changed since a start last looked at every source. `find` answers it in a process of its own, while this one
 * goes on: a look at a thousand files makes so much garbage here that it takes V8 longer than the look. It goes by when a file or folder
 * was last touched (`ctime`), which no program can set, so copies that keep their times are seen as well. Where there is no such `find`,
 * where something was touched or where it fails the answer is no, and whoever asks looks for himself.
 */
async function isAsLooked(root) {
  if (textOf(join(root, noteFile)) !== whatIsBuilt(root)) return false;
  const options = { cwd: root, stdio: 'ignore' };
  const skipped = either(skippedByAll.map((name) => ['-name', name]));
  const wanted = either([['-type', 'd'], ...endings.map((ending) => ['-name', `*.${ending}`])]);
  // The status tells whether `false` was run for something.
  const later = ['-cnewer', noteFile, ...wanted, '-exec', 'false', '{}', '+'];
  const child = spawn('find', ['-L', ...sources, ...skipped, '-prune', '-o', ...later], options);
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** To be called before a look at all sources; what it returns is called when all of them turned out to be built. */
function beginLook(root) {
  const note = join(root, noteFile);
  const half = `${note}.${process.pid}`;
  const began = timeOf(half);
  return () => {
    // Where nothing can be written every start looks.
    if (began === null) return;
    writeFileSync(half, whatIsBuilt(root));
    utimesSync(half, began - stepSeconds, began - stepSeconds);
    renameSync(half, note);
  };
}

/** By the clock of the file system, which need not be ours. */
function timeOf(file) {
  try {
    writeFileSync(file, '');
    return statSync(file).mtimeMs / 1_000;
  } catch {
    return null;
  } finally {
    rmSync(file, { force: true });
  }
}

function whatIsBuilt(root) {
  return [process.version, root, ...[stampFile, webStampFile].map((file) => textOf(join(root, file)))].join('\n');
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function either(tests) {
  return ['(', ...tests.flatMap((test, at) => (at === 0 ? test : ['-o', ...test])), ')'];
}

module.exports = { beginLook, isAsLooked, serverFolders, skippedByAll, stampFile, webStampFile };
