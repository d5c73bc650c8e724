import { readFileSync } from 'node:fs';
import type { Config } from '@kontor/kernel';
import { readConfig } from './config/read-config.ts';

export function readStartConfig(argv: readonly string[]): Config {
  return readConfig({ argv, env: process.env, cwd: process.cwd(), readFile: (path) => readFileSync(path, 'utf8') });
}
