import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Megabytes that a process holds in memory. */
export function residentMegabytes(pid) {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status)
    ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return Number(kilobytes) / 1024;
}

/** Seconds of CPU that a process has used; null where the system does not tell. */
export function cpuSeconds(pid) {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return null;
  const fields = readFileSync(stat, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
