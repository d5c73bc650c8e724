import {
  type ConnectionConfig,
  createDatabase,
  findEmbedded,
  type PooledDatabase,
  parseDsn,
  startEmbedded,
} from '@kontor/database';
import { type Config, createKernel, type Kernel, presentModules, readModuleStates } from '@kontor/kernel';
import { systemParts } from '@kontor/parts';
import pino from 'pino';
import { addonLoader, addonRoots } from '../addon-code.ts';
import { createLog } from '../logging/create-log.ts';
import { refuseMoved } from '../moved-note.ts';

export interface OpenSource {
  readonly connection: ConnectionConfig;
  /** Whether another process runs the embedded database. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

export interface SourceOptions {
  /** Creates an embedded database if there is none. */
  readonly mayCreate?: boolean;
}

/** The configured database for a command. A running embedded one is joined, a stopped one is started for the command. */
export async function openSource(config: Config, { mayCreate = false }: SourceOptions = {}): Promise<OpenSource> {
  const nothing = async (): Promise<void> => {};
  if (config.dbDsn !== '')
    return { connection: parseDsn(config.dbDirectDsn || config.dbDsn), isShared: false, close: nothing };
  const found = findEmbedded(config.dataDir);
  if (found?.connection) return { connection: found.connection, isShared: true, close: nothing };
  if (!found && !mayCreate) {
    throw new Error(
      `There is no database in ${config.dataDir}. Name its directory with --data-dir, or a PostgreSQL with -d.`,
    );
  }
  refuseMoved(config);
  const log = { info: () => {}, warn: (message: string) => console.error(message) };
  const server = await startEmbedded({ dataDir: config.dataDir, log });
  return { connection: server.connection, isShared: false, close: server.stop };
}

export async function withDatabase<T>(config: Config, work: (database: PooledDatabase) => Promise<T>): Promise<T> {
  const source = await openSource(config);
  const database = createDatabase({
    connection: source.connection,
    maxConnections: 2,
    applicationName: 'kontor command',
  });
  try {
    return await work(database);
  } finally {
    await database.close();
    await source.close();
  }
}

/** Modules of the configured database; none if there is no database yet. */
export async function installedModules(config: Config): Promise<ReadonlySet<string>> {
  if (config.dbDsn === '' && !findEmbedded(config.dataDir)) return new Set();
  return withDatabase(config, async (database) => presentModules(await readModuleStates(database)));
}

/** The application without its server: nothing listens and no job runs. Warnings go to standard error. */
export async function withKernel<T>(
  config: Config,
  work: (kernel: Kernel) => Promise<T>,
  options: SourceOptions = {},
): Promise<T> {
  const log = createLog({ logLevel: 'warn', logFile: '' }, { lines: pino.destination({ dest: 2, sync: true }) });
  const source = await openSource(config, options);
  const { connection } = source;
  const onWarning = (message: string, error: unknown) => log.warn({ err: error }, message);
  const database = createDatabase({ connection, maxConnections: 4, applicationName: 'kontor command', onWarning });
  try {
    const parts = { parts: systemParts, roots: addonRoots(config), codeOf: addonLoader(config) };
    const kernel = await createKernel({ config, database, connection, replica: null, log, ...parts });
    try {
      return await work(kernel);
    } finally {
      await kernel.close();
    }
  } finally {
    await database.close();
    await source.close();
  }
}
