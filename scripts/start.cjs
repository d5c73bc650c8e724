// Not a module: Node reads and links those in many small steps, ten milliseconds before the first line of one runs.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { startCheck, isUnchanged } = require('./check-sources.cjs');

const root = join(__dirname, '..');
const argv = process.argv.slice(2);
const isWatched = process.env.WEB_IS_WATCHED === '1';
/** Of Node's own, those that the server reads anyway and that take longest: they are read while others work. */
const neededModules = ['crypto', 'https', 'zlib', 'perf_hooks', 'worker_threads', 'dns'];

// By npm, or by `npm run dev`; whoever runs this file itself decides how long it lives.
const isWorker = process.env.SERVER_WORKER !== undefined;
if (!isWorker && ['start', 'dev'].includes(process.env.npm_lifecycle_event ?? ''))
  require('./end-with-parent.cjs').endWithParent();
// A worker runs what its supervisor runs.
if (isWorker) require('../dist/start/main.cjs').main(argv);
else start();

async function start() {
  const looking = isWatched ? false : isUnchanged(root);
  // The last build does it even if it turns out to be of other sources, then the database is stopped again, or of another version.
  const early = join(root, 'dist/start/early.cjs');
  const begun = existsSync(early) ? (require(early).bootstrapEarly?.(argv) ?? null) : null;
  for (const name of neededModules) process.getBuiltinModule(name);
  const { hasServer, hasWeb } = (await looking) ? { hasServer: true, hasWeb: true } : await look();
  const isBuilt = hasServer && hasWeb;
  if (!isBuilt) {
    await begun?.database?.giveUp();
    build(hasServer ? ['web'] : hasWeb ? ['server'] : []);
  }
  const { main } = require('../dist/start/main.cjs');
  await (isBuilt && begun ? main(argv, begun) : main(argv));
}

async function look() {
  const { isServerBuilt, isWebBuilt } = await import('./source-stamp.mjs');
  const keep = startCheck(root);
  const found = { hasServer: isServerBuilt(root), hasWeb: isWatched || isWebBuilt() };
  if (found.hasServer && found.hasWeb && !isWatched) keep();
  return found;
}

function build(missing) {
  if (process.env.KONTOR_TEST_RUN) {
    console.error(
      'The build is of other sources, and the tests that run are using it: run "npm run build" before them.',
    );
    process.exit(1);
  }
  // For the eyes of a person: what a command prints goes to standard output.
  console.error('Building Kontor (once) …');
  // In a process of its own: neither the compiler nor its memory stays with the server.
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), ...missing], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
