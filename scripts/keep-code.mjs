import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs after a build, in a separate process: opens every named part and stores the code that V8 compiled. If a start is requested,
 * it starts first and answers a request, so that the functions every start runs are stored too: a start then compiles nothing.
 */
const own = fileURLToPath(import.meta.url);
const longestMs = 120_000;
const { keepCode, main, part } = await import('../dist/start/main.js');
const [kind, ...rest] = process.argv.slice(2);

if (kind === 'prepare') await main(['--data-dir', ...rest, '--stop-after-init']);
else {
  const close = kind === 'started' ? await start() : null;
  if (close === null) await part(rest[0]).main(['help']);
  for (const name of rest) part(name);
  keepCode();
  close?.();
}

/** On a database that another process has created, like most starts: the code of an installation is not needed. */
async function start() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-build-'));
  // As root the database runs under another account.
  chmodSync(dataDir, 0o755);
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  for (const name of Object.keys(process.env)) if (name.startsWith('KONTOR_')) delete process.env[name];
  try {
    execFileSync(process.execPath, [own, 'prepare', dataDir], { stdio: 'pipe', timeout: longestMs });
  } catch (error) {
    const said = String(error.stderr ?? error.message).trim();
    console.error(`No start can be tried here, so every start will compile what it runs: ${said}`);
    return null;
  }
  const address = await main(['--data-dir', dataDir, '-p', '0']);
  if (address === null) throw new Error('The server did not start a second time.');
  await (await fetch(`${address}/api/health`)).text();
  return () => process.kill(process.pid, 'SIGTERM');
}
