const { spawn } = require('node:child_process');
const { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const stampFile = 'dist/.stamp';
const webStampFile = 'dist/.web-stamp';
const serverFolders = ['packages', 'apps/server', 'addons', 'scripts'];
const skippedByAll = ['node_modules', 'dist', 'tests'];
/** Files and folders that the build reads. */
const sources = [...serverFolders, 'apps/web', 'package.json', 'package-lock.json'];
const noteFile = 'dist/.checked';
/** Some file systems store times with a resolution of two seconds. */
const stepSeconds = 2;
const endings = ['ts', 'tsx', 'mjs', 'cjs', 'json', 'css', 'svg', 'png', 'webp'];

/**
 * Whether no source has changed since a start last checked all of them. `find` runs in a separate process, while this one continues:
 * checking a thousand files here would cost more garbage collection than the check itself. It compares `ctime`, which programs cannot set,
 * so that copies with preserved times are noticed. Returns false if a source was touched, or if `find` is missing or fails; the caller then
 * checks all sources itself.
 */
async function isUnchanged(root) {
  if (textOf(join(root, noteFile)) !== whatIsBuilt(root)) return false;
  const options = { cwd: root, stdio: 'ignore' };
  const skipped = either(skippedByAll.map((name) => ['-name', name]));
  const wanted = either([['-type', 'd'], ...endings.map((ending) => ['-name', `*.${ending}`])]);
  // The exit status is non-zero if `false` ran for any file.
  const later = ['-cnewer', noteFile, ...wanted, '-exec', 'false', '{}', '+'];
  const child = spawn('find', ['-L', ...sources, ...skipped, '-prune', '-o', ...later], options);
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** Call before checking all sources; call the returned function if all of them are built. */
function startCheck(root) {
  const note = join(root, noteFile);
  const half = `${note}.${process.pid}`;
  const began = timeOf(half);
  return () => {
    // On a read-only tree every start checks all sources.
    if (began === null) return;
    writeFileSync(half, whatIsBuilt(root));
    utimesSync(half, began - stepSeconds, began - stepSeconds);
    renameSync(half, note);
  };
}

/** The current time of the file system, whose clock may differ from ours. */
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

module.exports = { startCheck, isUnchanged, serverFolders, skippedByAll, stampFile, webStampFile };
