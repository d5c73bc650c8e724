import {
  type ConnectionConfig,
  createDatabase,
  createReplicaRouter,
  type PooledDatabase,
  parseDsn,
  type ReplicaRouter,
  startEmbedded,
} from '@kontor/database';
import type { Config, KernelLog } from '@kontor/kernel';

export interface OpenDatabase {
  readonly database: PooledDatabase;
  readonly connection: ConnectionConfig;
  readonly replica: ReplicaRouter | null;
  close(): Promise<void>;
}

const closeMs = 3_000;

/** The configured PostgreSQL, or the embedded one; and the replica when there is one. */
export async function openDatabase(config: Config, log: KernelLog): Promise<OpenDatabase> {
  const embedded = config.dbDsn === '' ? await startEmbeddedServer(config, log) : null;
  const connection = embedded?.connection ?? parseDsn(config.dbDsn);
  const onWarning = (message: string, error: unknown) => log.warn({ err: error }, message);
  const maxConnections = config.dbMaxOpenConns;
  const database = createDatabase({ connection, maxConnections, applicationName: 'kontor', onWarning });
  const standby =
    config.dbReadReplicaDsn === ''
      ? null
      : createDatabase({ dsn: config.dbReadReplicaDsn, maxConnections, applicationName: 'kontor replica', onWarning });
  const replica = standby && createReplicaRouter({ primary: database, replica: standby, onWarning });
  return {
    database,
    connection,
    replica,
    async close() {
      replica?.close();
      // Connections that somebody still holds are not waited for longer: the database ends their work itself.
      await within(closeMs, Promise.all([database.close(), standby?.close()]));
      await embedded?.stop();
    },
  };
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

async function startEmbeddedServer(config: Config, log: KernelLog) {
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    log: { info: (message) => log.info({}, message), warn: (message) => log.warn({}, message) },
  });
  embedded.onCrash(({ reason, willRestart }) => {
    log.error({ willRestart }, `The embedded database ended: ${reason}`);
  });
  embedded.onRestart(() => log.info({}, 'The embedded database is back.'));
  return embedded;
}
