import type { EmbeddedServer } from '@kontor/database';
import { startEmbedded } from '@kontor/database/embedded';
import type { Config, KernelLog } from '@kontor/kernel';
import { refuseMoved } from './moved-note.ts';

/** An embedded database that is starting. */
export interface StartingDatabase {
  readonly server: Promise<EmbeddedServer>;
  /** Stops it once it has started. */
  giveUp(): Promise<void>;
  /** Writes past and future events to the log. */
  tellTo(log: KernelLog): void;
}

/** Starts the embedded database before the log exists; null if another database is configured. */
export function startDatabase(config: Config): StartingDatabase | null {
  if (config.dbDsn !== '') return null;
  const held: ((log: KernelLog) => void)[] = [];
  let heard: KernelLog | null = null;
  const tellLog = (tell: (log: KernelLog) => void): void => {
    if (heard) tell(heard);
    else held.push(tell);
  };
  const server = startWith(config, tellLog);
  // Awaiting callers see a failure; this prevents an unhandled rejection before anyone awaits.
  server.catch(() => {});
  return {
    server,
    giveUp: () =>
      server.then(
        (embedded) => embedded.stop(),
        () => {},
      ),
    tellTo(log) {
      heard = log;
      for (const tell of held.splice(0)) tell(log);
    },
  };
}

async function startWith(config: Config, tellLog: (tell: (log: KernelLog) => void) => void): Promise<EmbeddedServer> {
  refuseMoved(config);
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    log: {
      info: (message) => tellLog((log) => log.info({}, message)),
      warn: (message) => tellLog((log) => log.warn({}, message)),
    },
  });
  embedded.onCrash(({ reason }) => tellLog((log) => log.error({}, `The embedded database ended: ${reason}`)));
  embedded.onRestart(() => tellLog((log) => log.info({}, 'The embedded database is back.')));
  return embedded;
}
