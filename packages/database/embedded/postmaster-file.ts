import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectProcess, type ProcessFacts } from './process-identity.ts';

/** PostgreSQL's own pid file in the cluster; it has these lines while a server runs, and after it was killed. */
export interface PostmasterFile {
  readonly pid: number;
  readonly status: string;
}

export function postmasterFilePath(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

export function readPostmasterFile(cluster: string): PostmasterFile | null {
  let lines: string[];
  try {
    lines = readFileSync(postmasterFilePath(cluster), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, status: (lines[7] ?? '').trim() } : null;
}

/** The server that runs on the cluster; null when the file is stale and its process id belongs to something else. */
export function runningPostmaster(cluster: string): ProcessFacts | null {
  const file = readPostmasterFile(cluster);
  const facts = file && inspectProcess(file.pid);
  return facts && isPostmasterOf(facts, cluster) ? facts : null;
}

function isPostmasterOf(facts: ProcessFacts, cluster: string): boolean {
  return /(^|\/)postgres(\s|$)/.test(facts.command) && facts.command.includes(cluster);
}
