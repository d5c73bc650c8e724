import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a directory that every account can pass through, with those above it, whatever the umask is. */
export function openDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o755);
}
