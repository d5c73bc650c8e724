import type { AddressInfo } from 'node:net';
import { hasMail } from '@kontor/kernel';
import { keepBaseAddress, startMail } from '@kontor/parts';
import { createTestKernel, type TestKernel, type TestKernelOptions, testAdmin } from '@kontor/testing';
import type { FastifyInstance } from 'fastify';
import { createServer, type ServerOptions } from '../create-server.ts';
import { createLog } from '../logging/create-log.ts';
import { Browser } from './browser.ts';

export interface TestServerOptions extends TestKernelOptions, ServerOptions {
  readonly logLevel?: 'error' | 'info' | 'trace';
}

export interface TestServer extends TestKernel {
  readonly server: FastifyInstance;
  readonly url: string;
  readonly port: number;
  /** Everything that was logged so far, one JSON object a line. */
  readonly log: readonly string[];
  /** A browser that nobody has signed in with. */
  browser(): Browser;
  /** A browser of the administrator, or of somebody else who has a password. */
  signedIn(login?: string, password?: string): Promise<Browser>;
  /** Makes a person with a password; returns their id and a signed-in browser. */
  user(name: string, groups?: readonly string[], values?: Record<string, unknown>): Promise<TestUser>;
}

export interface TestUser {
  readonly id: number;
  readonly login: string;
  readonly password: string;
  readonly browser: Browser;
}

/** The real server on a database of its own, listening on a free port. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const world = await createTestKernel(options);
  const log: string[] = [];
  const lines = { write: (line: string) => void log.push(line) };
  const logger = createLog({ logLevel: options.logLevel ?? 'info', logFile: '' }, { lines });
  const server = await createServer(world.kernel, logger, options);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const mail = hasMail(world.kernel.config) ? startMail(world.kernel, 'test server') : null;
  const { port } = server.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  // As the setup does: no other request is believed when it says where the server is.
  if (options.isSetUp !== false) await keepBaseAddress(world.kernel.database, url);
  const browser = (): Browser => new Browser(url);
  const signedIn: TestServer['signedIn'] = async (login = testAdmin.email, password = testAdmin.password) => {
    const fresh = browser();
    await fresh.signIn(login, password);
    return fresh;
  };
  return {
    ...world,
    server,
    url,
    port,
    log,
    browser,
    signedIn,
    async user(name, groups, values = {}) {
      const password = 'a long enough password';
      const { uid } = await world.person(name, groups, { password, ...values });
      const login = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.com`;
      return { id: uid, login, password, browser: await signedIn(login, password) };
    },
    async close() {
      server.server.closeAllConnections();
      await server.close();
      await mail?.stop();
      await world.close();
    },
  };
}
