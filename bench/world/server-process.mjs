import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readyLine = /Kontor is ready: (http:\S+)/;
const startLimitMs = 120_000;

/**
 * The built server as its users start it, in a process of its own. Its output goes to a file, as under a service manager,
 * so that writing it costs this process nothing.
 */
export async function startServer({ dataDir, dsn, logFile, nodeFlags = [] }) {
  const output = openSync(logFile, 'w');
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [...nodeFlags, 'scripts/start.cjs', '--data-dir', dataDir, '-p', '0', ...(dsn ? ['-d', dsn] : [])],
    { cwd: root, env: cleanEnvironment(), stdio: ['ignore', output, output] },
  );
  closeSync(output);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = await untilReady(child, logFile, startedAt);
  const readyMs = performance.now() - startedAt;
  return {
    url,
    pid: child.pid,
    readyMs,
    /** The source changed since the last build, so that this start is no measure of starting. */
    hasBuilt: readFileSync(logFile, 'utf8').includes('Building'),
    stop: () => stop(child, ended),
  };
}

async function untilReady(child, logFile, startedAt) {
  for (;;) {
    const [, url] = readyLine.exec(readFileSync(logFile, 'utf8')) ?? [];
    if (url) return url;
    const isLate = performance.now() - startedAt > startLimitMs;
    if (child.exitCode !== null || isLate) {
      child.kill('SIGKILL');
      const said = readFileSync(logFile, 'utf8').trim().slice(-2_000);
      throw new Error(`The server ${isLate ? 'took too long to start' : 'did not start'}:\n${said}`);
    }
    await pause(5);
  }
}

async function stop(child, ended) {
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(patience);
}

/** What is set for some other server on this machine must not reach this one. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('KONTOR_'));
  return { ...Object.fromEntries(kept), KONTOR_ADDONS_PATH: join(root, 'bench/addon'), TZ: 'UTC' };
}

/** The address of the embedded database in a data directory, as its own pid file tells it. */
export function embeddedDsn(dataDir) {
  const note = join(dataDir, 'postgres-location');
  const home = existsSync(note) ? readFileSync(note, 'utf8').trim() : join(dataDir, 'postgres');
  const lines = readFileSync(join(home, 'cluster/postmaster.pid'), 'utf8').split('\n');
  const query = new URLSearchParams({ host: lines[4].trim(), port: lines[3].trim() });
  return `postgres://kontor@localhost/kontor?${query}`;
}

export const cacheDir = join(dirname(fileURLToPath(import.meta.url)), '../../.cache/bench');
