import { type Bootstrap, bootstrap } from './bootstrap.ts';
import { ConfigError } from './config/config-error.ts';
import { isPlainStart } from './plain-start.ts';
import { isWorker } from './workers/peers.ts';

/**
 * Runs the command that the first word names; without one it starts Kontor, continuing from `bootstrapped`, and returns
 * its address.
 */
export async function main(argv: readonly string[], bootstrapped: Bootstrap | null = null): Promise<string | null> {
  if (!isPlainStart(argv)) {
    const { runCommand } = await import('./commands/run-command.ts');
    if (await runCommand(argv)) return null;
  }
  try {
    const { config, database } = bootstrapped ?? bootstrap(argv);
    if (config.workers > 1 && !config.stopAfterInit && !isWorker) {
      const { supervise } = await import('./workers/supervise.ts');
      return await supervise(config, database);
    }
    const { serve } = await import('./serve.ts');
    return await serve(config, database);
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : `Kontor cannot start: ${await explained(error)}`);
    process.exitCode = 1;
    // The channel to the supervisor would keep the process alive.
    if (isWorker) process.exit();
    return null;
  }
}

async function explained(error: unknown): Promise<string> {
  const { explain } = await import('./serve.ts');
  return explain(error);
}
