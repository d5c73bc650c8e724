import { readFileSync } from 'node:fs';
import type { Config } from '@kontor/kernel';
import { type BegunDatabase, beginDatabase } from './begin-database.ts';
import { readConfig } from './config/read-config.ts';
import { isPlainStart } from './plain-start.ts';

/** A start whose configuration is read and whose embedded database is on its way. */
export interface Begun {
  readonly config: Config;
  readonly database: BegunDatabase | null;
}

/** Throws `ConfigError`. */
export function begin(argv: readonly string[]): Begun {
  const config = readConfig({
    argv: argv[0] === 'start' ? argv.slice(1) : argv,
    env: process.env,
    cwd: process.cwd(),
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  return { config, database: beginDatabase(config) };
}

/**
 * Begins while the rest of the code is not even read: of this file the build makes a small one of its own. Null where something else
 * than a start is asked for, and where the configuration is wrong: the rest of the code says how.
 */
export function beginEarly(argv: readonly string[]): Begun | null {
  if (!isPlainStart(argv)) return null;
  try {
    return begin(argv);
  } catch {
    return null;
  }
}
