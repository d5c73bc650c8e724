import { spawn } from 'node:child_process';
import { type Account, spawnAs } from './account.ts';

/** Waits on a pipe that only this process holds: when it closes, this process is gone, however it ended. */
const script = 'read -r line || kill -INT "$1"';

/** Shuts the server down when Kontor is killed and cannot do it itself. */
export function startWatchdog(pid: number, account: Account | null): { end(): void } {
  const child = spawn('/bin/sh', ['-c', script, 'kontor-watchdog', String(pid)], {
    ...spawnAs(account),
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a shell there is no watchdog; the next start still finds and ends an orphan.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return { end: () => child.stdin.end('done\n') };
}
