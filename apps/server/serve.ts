import { type Config, installModules, type Kernel, outdatedModules, upgradeModules } from '@kontor/kernel';
import { keepDemoChoice } from '@kontor/parts';
import { neededSetupToken } from './guards/setup-right.ts';
import { reopenOnHangup } from './logging/create-log.ts';
import { describeError } from './logging/describe-error.ts';
import { type Application, openApplication } from './open-application.ts';
import type { StartingDatabase } from './start-database.ts';
import { isLaterWorker, isWorker, tellSupervisor } from './workers/peers.ts';

/** Starts Kontor, and stops it properly on request; returns its address if it listens. */
export async function serve(config: Config, begun: StartingDatabase | null): Promise<string | null> {
  const comparing = compareMeanwhile();
  // The first worker has done it, and a replacement worker must not do it again.
  const { init, update } = isLaterWorker ? { init: [], update: [] } : config;
  const changes = init.length > 0 || update.length > 0;
  const application = await openApplication(config, changes ? {} : { onKernel: comparing.begin }, begun);
  endOnSignal(application);
  try {
    const { kernel } = application;
    if (init.length > 0) await installAtStart(kernel, init, config.demo);
    if (update.length > 0) await kernel.changeModules((context) => upgradeModules(context, update));
    if (changes) comparing.begin(kernel);
    refuseOutdated(await comparing.outdated());
    if (config.stopAfterInit) {
      await application.close();
      return null;
    }
    const address = await application.listen();
    if (isWorker) tellSupervisor({ kind: 'ready', address });
    else console.log(`Kontor is ready: ${address}`);
    if (!isLaterWorker) await tellSetupLink(kernel, config.baseUrl || address);
    return address;
  } catch (error) {
    await application.close();
    throw error;
  }
}

/** Demonstration data refer to the first company and its administrator: before there are any, they wait for the setup. */
export async function installAtStart(kernel: Kernel, modules: readonly string[], withDemo: boolean): Promise<void> {
  const isLate = withDemo && !(await kernel.isInitialised());
  await kernel.changeModules(
    async (context) => {
      if (isLate) await keepDemoChoice(context.tx);
      return installModules(context, modules);
    },
    { withDemo: withDemo && !isLate },
  );
  if (isLate) kernel.log.info({}, 'Demonstration data will be loaded with the setup.');
}

/** If other machines can reach the server, only the reader of its output may set it up. A configured token is not printed. */
async function tellSetupLink(kernel: Kernel, address: string): Promise<void> {
  if (kernel.config.setupToken !== '' || (await kernel.isInitialised())) return;
  const token = await neededSetupToken(kernel);
  if (token !== '') console.log(`Set it up with this link: ${address}/setup?token=${token}`);
}

type Outdated = Awaited<ReturnType<typeof outdatedModules>>;

/** The database compares its columns with the code while the listener is made, unless modules change first. */
function compareMeanwhile() {
  let comparing: Promise<Outdated> = Promise.resolve([]);
  return {
    begin(kernel: Kernel): void {
      comparing = outdatedModules(kernel.database, kernel.registry);
      // Awaiting callers see a failure; this prevents an unhandled rejection before anyone awaits.
      comparing.catch(() => {});
    },
    outdated: () => comparing,
  };
}

/** Code that is newer than the database would fail later, on a user's screen and with less information. */
function refuseOutdated(outdated: Outdated): void {
  if (outdated.length === 0) return;
  const modules = outdated.map(({ module }) => module).join(',');
  const fields = outdated.flatMap((each) => each.fields);
  const more = fields.length > 5 ? ` and ${fields.length - 5} more` : '';
  throw new Error(
    `the database is older than the code: it has no ${fields.slice(0, 5).join(', ')}${more}. Start once with -u ${modules}.`,
  );
}

/** Node would print an uncaught error with all its properties, including values of records. */
function endOnSignal(application: Application): void {
  let isEnding = false;
  const end = (code: number): void => {
    if (isEnding) return;
    isEnding = true;
    application.close().then(
      () => process.exit(code),
      (error: unknown) => {
        console.error(`Kontor did not stop in order: ${explain(error)}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end(0));
  process.on('SIGINT', () => end(0));
  reopenOnHangup(application.log, { onTerminal: () => end(0) });
  process.on('unhandledRejection', (error) => application.log.error({ err: error }, 'a failure that nobody handled'));
  process.on('uncaughtException', (error) => {
    application.log.fatal({ err: error }, 'a failure that nobody caught; the server ends');
    end(1);
  });
}

/** The message for a failed start. */
export function explain(error: unknown): string {
  const { message, type, code } = describeError(error);
  if (message !== undefined) return message;
  return error instanceof Error && !('severity' in error) ? error.message : [type, code].filter(Boolean).join(' ');
}
