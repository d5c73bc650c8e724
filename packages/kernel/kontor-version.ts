import { readFileSync } from 'node:fs';

/** The same from the source tree and from the server's own build, which are equally deep. */
const packageFile = new URL('../../package.json', import.meta.url);

export function kontorVersion(): string {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  return version;
}
