import { type Config, createKernel, type Kernel } from '@kontor/kernel';
import { systemParts } from '@kontor/parts';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { addonLoader, addonRoots } from './addon-code.ts';
import { createServer } from './create-server.ts';
import { createLog } from './logging/create-log.ts';
import { createSystemLog } from './logging/system-log.ts';
import { openDatabase } from './open-database.ts';

export interface Application {
  readonly kernel: Kernel;
  readonly log: Logger;
  /** Starts listening; returns the address to open. */
  listen(): Promise<string>;
  /** Stops accepting, finishes what is in flight, then closes what was opened, last first. */
  close(): Promise<void>;
}

export async function openApplication(config: Config): Promise<Application> {
  const systemLog = createSystemLog();
  const log = createLog(config, { warnings: systemLog.stream });
  const data = await openDatabase(config, log);
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
    const server = await createServer(kernel, log);
    systemLog.attach(data.database);
    let closing: Promise<void> | null = null;
    const close = async (): Promise<void> => {
      await Promise.all([closeServer(server), kernel.stop()]);
      await kernel.close();
      await systemLog.close();
      await data.close();
    };
    return {
      kernel,
      log,
      async listen() {
        const address = await server.listen({ host: config.httpInterface, port: config.httpPort });
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

const patienceMs = 10_000;

/** Accepts nothing new, lets what is in flight finish, and hangs up on what has not finished in time. */
async function closeServer(server: FastifyInstance, limitMs = patienceMs): Promise<void> {
  const timer = setTimeout(() => {
    server.log.warn('Requests were still in flight and have been cut.');
    server.server.closeAllConnections();
  }, limitMs).unref();
  await server.close();
  clearTimeout(timer);
}
