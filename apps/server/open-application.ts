import { type Config, createKernel, type Kernel } from '@kontor/kernel';
import { addonLoader, addonRoots } from './addon-code.ts';
import { createLog } from './create-log.ts';
import { createServer } from './create-server.ts';
import { openDatabase } from './open-database.ts';

export interface Application {
  readonly kernel: Kernel;
  /** Starts listening; returns the address to open. */
  listen(): Promise<string>;
  /** Stops accepting, finishes what is in flight, then closes what was opened, last first. */
  close(): Promise<void>;
}

export async function openApplication(config: Config): Promise<Application> {
  const log = createLog(config);
  const data = await openDatabase(config, log);
  try {
    const kernel = await createKernel({
      config,
      database: data.database,
      connection: data.connection,
      replica: data.replica,
      roots: addonRoots(config),
      codeOf: addonLoader(config),
      log,
    });
    const server = await createServer(kernel, log);
    let closing: Promise<void> | null = null;
    const close = async (): Promise<void> => {
      await server.close();
      await kernel.close();
      await data.close();
    };
    return {
      kernel,
      listen: () => server.listen({ host: config.httpInterface, port: config.httpPort }),
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
