import { readFileSync } from 'node:fs';
import type { Config } from '@kontor/kernel';
import { readConfig } from './config/read-config.ts';
import { isPlainStart } from './plain-start.ts';
import { type StartingDatabase, startDatabase } from './start-database.ts';

/** A start with its configuration read and its embedded database starting. */
export interface Bootstrap {
  readonly config: Config;
  readonly database: StartingDatabase | null;
}

/** Throws `ConfigError`. */
export function bootstrap(argv: readonly string[]): Bootstrap {
  const config = readConfig({
    argv: argv[0] === 'start' ? argv.slice(1) : argv,
    env: process.env,
    cwd: process.cwd(),
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  return { config, database: startDatabase(config) };
}

/**
 * Starts before the rest of the code is loaded: the build puts this file into a small separate bundle. Null for other commands and
 * for an invalid configuration, which the rest of the code reports.
 */
export function bootstrapEarly(argv: readonly string[]): Bootstrap | null {
  if (!isPlainStart(argv)) return null;
  try {
    return bootstrap(argv);
  } catch {
    return null;
  }
}
