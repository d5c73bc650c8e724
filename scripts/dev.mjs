import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { watchWeb } from './build-web.mjs';
import { endWithParent } from './end-with-parent.cjs';

/** Runs the server and starts it again when a source file changes; builds the client again when one of its own does. */
const root = fileURLToPath(new URL('..', import.meta.url));
const watched = ['packages', 'apps/server', 'addons'];
if (process.env.npm_lifecycle_event === 'dev') endWithParent();
await watchWeb((seconds) => console.log(`The client is built (${seconds} s); open pages load again.`));
let server = start();
let timer = null;

for (const folder of watched) {
  watch(new URL(`../${folder}`, import.meta.url), { recursive: true }, (_event, file) => {
    if (!file || /node_modules|tests\/|dist\/|\/client\//.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(restart, 150);
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(server).then(() => process.exit(0)));

function start() {
  return spawn(process.execPath, ['--enable-source-maps', 'scripts/start.cjs', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { KONTOR_DEV_MODE: 'true', ...process.env, WEB_IS_WATCHED: '1' },
  });
}

async function restart() {
  await stop(server);
  server = start();
}

function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
}
