import { readFileSync } from 'node:fs';
import { type Config, readConfig } from '@kontor/kernel';

export function readStartConfig(argv: readonly string[]): Config {
  return readConfig({ argv, env: process.env, cwd: process.cwd(), readFile: (path) => readFileSync(path, 'utf8') });
}
