import { ConfigError, installModules, upgradeModules } from '@kontor/kernel';
import { openApplication } from './open-application.ts';
import { readStartConfig } from './read-start-config.ts';

/** Starts Kontor, and ends it in order when it is asked to. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await start(argv);
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : `Kontor cannot start: ${explain(error)}`);
    process.exitCode = 1;
  }
}

async function start(argv: readonly string[]): Promise<void> {
  const config = readStartConfig(argv);
  const application = await openApplication(config);
  endOnSignal(() => application.close());
  try {
    const { kernel } = application;
    if (config.init.length > 0) await kernel.changeModules((context) => installModules(context, config.init));
    if (config.update.length > 0) await kernel.changeModules((context) => upgradeModules(context, config.update));
    if (config.stopAfterInit) return await application.close();
    const address = await application.listen();
    console.log(`Kontor is ready: ${address}`);
  } catch (error) {
    await application.close();
    throw error;
  }
}

function endOnSignal(close: () => Promise<void>): void {
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`Kontor did not stop in order: ${explain(error)}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
