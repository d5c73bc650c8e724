import {
  type ConnectionConfig,
  createDatabase,
  createReplicaRouter,
  keepRoleSettings,
  leadsToPooler,
  type PooledDatabase,
  parseDsn,
  type ReplicaRouter,
} from '@kontor/database';
import { type Config, createKernel, type Kernel, type KernelLog } from '@kontor/kernel';
import { systemParts } from '@kontor/parts';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { addonLoader, addonRoots } from './addon-code.ts';
import { createServer, type ServerOptions } from './create-server.ts';
import { watchDescriptors } from './limits/watch-descriptors.ts';
import { createLog } from './logging/create-log.ts';
import { createSystemLog } from './logging/system-log.ts';
import { type StartingDatabase, startDatabase } from './start-database.ts';
import { isLaterWorker, workerPort } from './workers/peers.ts';

export interface Application {
  readonly kernel: Kernel;
  readonly log: Logger;
  /** Starts listening; returns the address to open. */
  listen(): Promise<string>;
  /** Stops accepting, finishes requests in flight, then closes everything in reverse order. */
  close(): Promise<void>;
}

export async function openApplication(
  config: Config,
  options: ServerOptions = {},
  begun: StartingDatabase | null = startDatabase(config),
): Promise<Application> {
  const systemLog = createSystemLog();
  const log = await openLog(config, systemLog, begun);
  const data = await openDatabase(config, log, begun);
  try {
    const kernel = await createKernel({
      config,
      database: data.database,
      connection: data.connection,
      replica: data.replica,
      parts: systemParts,
      roots: addonRoots(config),
      codeOf: addonLoader(config),
      log,
    });
    options.onKernel?.(kernel);
    const server = await createServer(kernel, log, options).catch(async (error: unknown) => {
      await kernel.close();
      throw error;
    });
    systemLog.attach(data.database);
    const descriptors = watchDescriptors(log);
    if (!isLaterWorker) void warnOfPooler(config, data.connection, log);
    let closing: Promise<void> | null = null;
    const close = async (): Promise<void> => {
      const began = performance.now();
      descriptors.stop();
      await Promise.all([closeServer(server, config.httpDrainSeconds * 1_000), within(workMs, kernel.stop())]);
      await within(closeMs, kernel.close());
      await within(closeMs, systemLog.close());
      await data.close();
      log.info({ durationMs: Math.round(performance.now() - began) }, 'stopped');
    };
    return {
      kernel,
      log,
      async listen() {
        const address = await server.listen({ host: config.httpInterface, port: workerPort ?? config.httpPort });
        kernel.start();
        return address;
      },
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await data.close();
    throw error;
  }
}

async function openLog(
  config: Config,
  { stream }: ReturnType<typeof createSystemLog>,
  begun: StartingDatabase | null,
): Promise<Logger> {
  try {
    const log = createLog(config, { warnings: stream });
    begun?.tellTo(log);
    return log;
  } catch (error) {
    await begun?.giveUp();
    throw error;
  }
}

/** A stop takes at most ten seconds: most of them for requests and jobs, the rest for what closes after them. */
const workMs = 6_500;
const requestsMs = 6_000;
/** Requests that are on their way when the stop begins still arrive; their answers close the connection. */
const drainMs = 500;
const closeMs = 500;
/** The embedded database then ends without a last checkpoint, and reads its log at the next start. */
const embeddedMs = 1_500;

/** Reads pending requests, then accepts nothing new, lets requests in flight finish, and closes those that do not finish in time. */
async function closeServer(server: FastifyInstance, leastMs: number): Promise<void> {
  await server.drain({ leastMs, mostMs: leastMs + drainMs });
  const timer = setTimeout(() => {
    server.log.warn('Requests were still in flight and have been cut.');
    server.server.closeAllConnections();
  }, requestsMs - drainMs).unref();
  await server.close();
  clearTimeout(timer);
}

/** Without a direct connection past a pooler in transaction mode, events and locks are lost without an error. */
async function warnOfPooler(config: Config, connection: ConnectionConfig, log: KernelLog): Promise<void> {
  if (config.dbDsn === '' || config.dbDirectDsn !== '') return;
  const isPooled = await leadsToPooler(connection).catch(() => false);
  if (!isPooled) return;
  log.warn(
    {},
    'db_dsn leads to a pooler such as PgBouncer. In transaction mode live events and the locks of jobs are lost: set db_direct_dsn to the server itself.',
  );
}

interface OpenDatabase {
  readonly database: PooledDatabase;
  readonly connection: ConnectionConfig;
  readonly replica: ReplicaRouter | null;
  close(): Promise<void>;
}

/** How often the database is checked. */
const watchMs = 1_000;

/** The configured PostgreSQL, or the embedded one; and the replica when there is one. */
async function openDatabase(config: Config, log: KernelLog, begun: StartingDatabase | null): Promise<OpenDatabase> {
  const embedded = (await begun?.server) ?? null;
  const connection = embedded?.connection ?? parseDsn(config.dbDsn);
  const direct = config.dbDirectDsn === '' ? connection : parseDsn(config.dbDirectDsn);
  const pooled = config.dbDirectDsn === '' ? {} : { maxStatements: 0 };
  if (config.dbDirectDsn !== '') await keepRoleSettings(direct, config.dbStatementSeconds);
  const onWarning = (message: string, error: unknown) => log.warn({ err: error }, message);
  const maxConnections = config.dbMaxOpenConns;
  const connectTimeoutMs = config.dbWaitSeconds * 1_000;
  const answerMs = config.dbAnswerSeconds * 1_000;
  const statementTimeoutMs = config.dbStatementSeconds * 1_000;
  const limits = { maxConnections, connectTimeoutMs, answerMs, statementTimeoutMs, watchMs, onWarning, ...pooled };
  const database = createDatabase({ connection, applicationName: 'kontor', ...limits });
  const standby =
    config.dbReadReplicaDsn === ''
      ? null
      : createDatabase({ dsn: config.dbReadReplicaDsn, applicationName: 'kontor replica', ...limits });
  const replica = standby && createReplicaRouter({ primary: database, replica: standby, onWarning });
  return {
    database,
    connection: direct,
    replica,
    async close() {
      replica?.close();
      // Connections in use are not awaited any longer: the database ends their work itself.
      await within(closeMs, Promise.all([database.close(), standby?.close()]));
      await embedded?.stop(embeddedMs);
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
