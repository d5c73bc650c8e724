import { fileURLToPath } from 'node:url';
import { createTranslations, type Kernel, openWordbooks, type Translations } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { answerErrors } from './answers/answer-error.ts';
import type { BusOptions } from './bus/bus.ts';
import { createAddonClients } from './client/addon-clients.ts';
import { staticPath, watchClientAssets } from './client/client-assets.ts';
import type { DevRounds } from './development/dev-rounds.ts';
import { decorateRequests } from './guards/authenticate.ts';
import { wantsJson } from './http/envelope.ts';
import { onceAtRest } from './http/once-at-rest.ts';
import { decorateLanguage } from './http/request-language.ts';
import { securityHeaders } from './http/security-headers.ts';
import { watchServedPaths } from './http/served-paths.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { logRequests } from './logging/request-log.ts';
import { createMetrics } from './metrics/create-metrics.ts';
import { openFastify, requestEcho, type Timeouts } from './open-fastify.ts';
import { addedRoutes } from './routes/added.ts';
import { addonRoutes } from './routes/addons.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { bulkImportRoutes } from './routes/bulk-import.ts';
import { busRoutes } from './routes/bus.ts';
import { customiseRoutes } from './routes/customise.ts';
import { developmentRoutes } from './routes/development.ts';
import { exportRoutes } from './routes/exports.ts';
import { addonFileRoutes, staticRoutes } from './routes/files.ts';
import { loginRoutes } from './routes/login.ts';
import { loginFactorRoutes } from './routes/login-factor.ts';
import { loginOidcRoutes } from './routes/login-oidc.ts';
import { moduleRoutes } from './routes/modules.ts';
import { healthRoutes, metricsRoutes } from './routes/operations.ts';
import { ownFactorRoutes } from './routes/own-factors.ts';
import { companyRoutes, pinnedAppsRoutes } from './routes/own-settings.ts';
import { passkeyRoutes } from './routes/passkeys.ts';
import { passwordRoutes } from './routes/password.ts';
import { placeRoutes } from './routes/places.ts';
import { proposalRoutes } from './routes/proposals.ts';
import { rpcRoutes } from './routes/rpc.ts';
import { schemaRoutes } from './routes/schemas.ts';
import { screenRoutes, shellRoutes, workspaceRoutes } from './routes/screens.ts';
import { setupRoutes } from './routes/setup.ts';

export interface ServerOptions {
  readonly timeouts?: Partial<Timeouts>;
  readonly bus?: BusOptions;
  /** Folder of the built client. */
  readonly clientFolder?: string;
  /** Called before the listener is created, for work that can run in parallel. */
  readonly onKernel?: (kernel: Kernel) => void;
  /** Set by `kontor dev`: what open pages are notified of. */
  readonly rounds?: DevRounds;
}

/** Builds the HTTP listener: guards, routes and errors. */
export async function createServer(
  kernel: Kernel,
  log: FastifyBaseLogger,
  options: ServerOptions = {},
): Promise<FastifyInstance> {
  const server = openFastify(kernel, log, options.timeouts);
  const limits = createRateLimits(kernel);
  const metrics = createMetrics(kernel);
  onceAtRest(server, metrics.watchProcess);
  const served = watchServedPaths(server);
  const folder = options.clientFolder ?? clientFolder;
  const clients = createAddonClients(kernel, folder);
  const clientWords = await readClientWords(clientWordsFolder);
  const shell = { kernel, assets: watchClientAssets(folder), clients, clientWords };
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', requestEcho(request));
    done();
  });
  decorateRequests(server);
  decorateLanguage(server, kernel);
  securityHeaders(server, kernel.config);
  logRequests(server, kernel);
  server.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'other' } = request.routeOptions;
    if (route !== '/api/rpc') metrics.countPage({ route: request.addonRoute ?? route, status: reply.statusCode });
    done();
  });
  answerErrors(server, shell);
  guardReadiness(server, kernel);
  healthRoutes(server, kernel);
  rpcRoutes(server, kernel, { limits, metrics });
  schemaRoutes(server, kernel, limits);
  setupRoutes(server, kernel);
  loginRoutes(server, kernel, limits);
  loginFactorRoutes(server, kernel, limits);
  loginOidcRoutes(server, kernel, limits);
  passkeyRoutes(server, kernel, limits);
  passwordRoutes(server, kernel, limits);
  ownFactorRoutes(server, kernel);
  apiKeyRoutes(server, kernel);
  companyRoutes(server, kernel);
  pinnedAppsRoutes(server, kernel);
  metricsRoutes(server, kernel, { limits, metrics });
  busRoutes(server, kernel, options.bus);
  shellRoutes(server, shell);
  screenRoutes(server, shell);
  proposalRoutes(server, kernel);
  workspaceRoutes(server, kernel);
  placeRoutes(server, kernel);
  exportRoutes(server, kernel);
  bulkImportRoutes(server, kernel);
  moduleRoutes(server, kernel);
  customiseRoutes(server, kernel);
  addedRoutes(server, kernel);
  developmentRoutes(server, kernel, options.rounds);
  staticRoutes(server, folder);
  addonFileRoutes(server, kernel, clients);
  addonRoutes(server, shell, served, limits);
  return server;
}

/**
 * Where the build puts the client. The path is the same from the source tree and from the server's own build, which are
 * equally deep.
 */
const clientFolder = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** The client's translations stay in the source tree, like those of addons. */
const clientWordsFolder = fileURLToPath(new URL('../../apps/web/i18n', import.meta.url));

/** The client's texts in each language. */
async function readClientWords(folder: string): Promise<Translations> {
  const books = await openWordbooks(
    folder,
    (file, line, message) => new Error(`The client's words: ${file}:${line}: ${message}`),
  );
  return createTranslations(new Map([['client', books]]));
}

/** Pages redirect to the setup until it is done, and no new requests are accepted once the server stops. */
function guardReadiness(server: FastifyInstance, kernel: Kernel): void {
  let isStopping = false;
  server.addHook('preClose', async () => {
    isStopping = true;
  });
  server.addHook('onRequest', async (request, reply) => {
    if (isStopping) {
      reply.header('connection', 'close');
      throw new KontorError('UNAVAILABLE', 'The server is stopping. Try again in a moment.');
    }
    if (!isPage(request.url) || (await kernel.isInitialised())) return;
    if (wantsJson(request)) throw new KontorError('NOT_INITIALISED');
    return reply.redirect('/setup', 302);
  });
}

/** The setup page itself needs files of the client, such as its font; the bus is not a page, and answers itself. */
function isPage(url: string): boolean {
  return /^\/web(?:[/?]|$)/.test(url) && !url.startsWith(staticPath) && !/^\/web\/wc\/bus(?:\?|$)/.test(url);
}
