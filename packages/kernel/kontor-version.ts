import { readFileSync } from 'node:fs';

/** The relative path is the same in the source tree and in the build. */
const packageFile = new URL('../../package.json', import.meta.url);

export function kontorVersion(): string {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  return version;
}
