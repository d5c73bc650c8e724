import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithParent } from './end-with-parent.mjs';
import { isServerBuilt, isWebBuilt } from './source-stamp.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

// By npm, or by `npm run dev`; whoever runs this file itself decides how long it lives.
if (['start', 'dev'].includes(process.env.npm_lifecycle_event ?? '')) endWithParent();

const isWatched = process.env.WEB_IS_WATCHED === '1';
const hasServer = isServerBuilt(root);
const hasWeb = isWatched || isWebBuilt();
if (!hasServer || !hasWeb) {
  if (process.env.KONTOR_TEST_RUN) {
    console.error(
      'The build is of other sources, and the tests that run are using it: run "npm run build" before them.',
    );
    process.exit(1);
  }
  // For the eyes of a person: what a command prints goes to standard output.
  console.error('Building Kontor (once) …');
  const missing = hasServer ? ['web'] : hasWeb ? ['server'] : [];
  // In a process of its own: neither the compiler nor its memory stays with the server.
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), ...missing], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
const { main } = await import('../dist/start/main.js');
await main(process.argv.slice(2));
