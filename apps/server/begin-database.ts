import type { EmbeddedServer } from '@kontor/database';
import { startEmbedded } from '@kontor/database/embedded';
import type { Config, KernelLog } from '@kontor/kernel';
import { refuseMoved } from './moved-note.ts';

/** The embedded database on its way. */
export interface BegunDatabase {
  readonly server: Promise<EmbeddedServer>;
  /** Ends it again, once it is there. */
  giveUp(): Promise<void>;
  /** Tells the log what happened until now, and what happens from now on. */
  tellTo(log: KernelLog): void;
}

/** Begins to start the embedded database, before there is a log; null where another one is configured. */
export function beginDatabase(config: Config): BegunDatabase | null {
  if (config.dbDsn !== '') return null;
  const held: ((log: KernelLog) => void)[] = [];
  let heard: KernelLog | null = null;
  const tellLog = (tell: (log: KernelLog) => void): void => {
    if (heard) tell(heard);
    else held.push(tell);
  };
  const server = startWith(config, tellLog);
  // Whoever waits for it learns of a failure; until then nobody does.
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
