import { readFileSync } from 'node:fs';
import type { Config } from '@kontor/kernel';
import { beginDatabase } from './begin-database.ts';
import { ConfigError } from './config/config-error.ts';
import { readConfig } from './config/read-config.ts';

/**
 * Runs the command that the first word names; without one it starts Kontor. Here is only what begins a start: the rest of the code
 * is read while the embedded database starts.
 */
export async function main(argv: readonly string[]): Promise<void> {
  if (!isPlainStart(argv)) {
    const { runCommand } = await import('./commands/run-command.ts');
    if (await runCommand(argv)) return;
  }
  try {
    const config = readStartConfig(argv[0] === 'start' ? argv.slice(1) : argv);
    const begun = beginDatabase(config);
    const { serve } = await import('./serve.ts');
    await serve(config, begun);
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : `Kontor cannot start: ${await explained(error)}`);
    process.exitCode = 1;
  }
}

function isPlainStart(argv: readonly string[]): boolean {
  const [name = 'start'] = argv;
  const asks = ['--help', '-h', '--version'];
  return (name === 'start' || name.startsWith('-')) && !argv.some((word) => asks.includes(word));
}

async function explained(error: unknown): Promise<string> {
  const { explain } = await import('./serve.ts');
  return explain(error);
}

function readStartConfig(argv: readonly string[]): Config {
  return readConfig({ argv, env: process.env, cwd: process.cwd(), readFile: (path) => readFileSync(path, 'utf8') });
}
