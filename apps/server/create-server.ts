import type { Kernel } from '@kontor/kernel';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { BusOptions } from './bus/bus.ts';
import { clientFolder } from './client-folder.ts';
import { clientWordsFolder, readClientWords } from './client-words.ts';
import { openForBusiness } from './guards/open-for-business.ts';
import { createAddonClients } from './http/addon-clients.ts';
import { answerErrors } from './http/answer-error.ts';
import { watchClientAssets } from './http/client-assets.ts';
import { openFastify, type Patience } from './http/open-fastify.ts';
import { decorateLanguage } from './http/request-language.ts';
import { decorateRequests } from './http/request-notes.ts';
import { securityHeaders } from './http/security-headers.ts';
import { watchServedPaths } from './http/served-paths.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { logRequests } from './logging/request-log.ts';
import { createMetrics } from './metrics/create-metrics.ts';
import { addonFileRoutes } from './routes/addon-files.ts';
import { addonRoutes } from './routes/addons.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { bulkImportRoutes } from './routes/bulk-import.ts';
import { busRoutes } from './routes/bus.ts';
import { companyRoutes } from './routes/company.ts';
import { exportRoutes } from './routes/exports.ts';
import { healthRoutes } from './routes/health.ts';
import { loginRoutes } from './routes/login.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { moduleRoutes } from './routes/modules.ts';
import { passwordRoutes } from './routes/password.ts';
import { pinnedAppsRoutes } from './routes/pinned-apps.ts';
import { rpcRoutes } from './routes/rpc.ts';
import { screenRoutes } from './routes/screens.ts';
import { setupRoutes } from './routes/setup.ts';
import { shellRoutes } from './routes/shell.ts';
import { staticRoutes } from './routes/static.ts';
import { workspaceRoutes } from './routes/workspace.ts';

export interface ServerOptions {
  readonly patience?: Partial<Patience>;
  readonly bus?: BusOptions;
  /** Folder of the built client. */
  readonly clientFolder?: string;
}

/** The HTTP listener: guards, routes and errors, put together once. */
export async function createServer(
  kernel: Kernel,
  log: FastifyBaseLogger,
  options: ServerOptions = {},
): Promise<FastifyInstance> {
  const server = openFastify(kernel, log, options.patience);
  const limits = createRateLimits(kernel);
  const metrics = createMetrics(kernel);
  const served = watchServedPaths(server);
  const folder = options.clientFolder ?? clientFolder;
  const clients = createAddonClients(kernel, folder);
  const clientWords = await readClientWords(clientWordsFolder);
  const shell = { kernel, assets: watchClientAssets(folder), clients, clientWords };
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  decorateRequests(server);
  decorateLanguage(server, kernel);
  securityHeaders(server);
  logRequests(server, kernel);
  answerErrors(server, shell);
  openForBusiness(server, kernel);
  healthRoutes(server);
  rpcRoutes(server, kernel, { limits, metrics });
  setupRoutes(server, kernel);
  loginRoutes(server, kernel, limits);
  passwordRoutes(server, kernel);
  apiKeyRoutes(server, kernel);
  companyRoutes(server, kernel);
  pinnedAppsRoutes(server, kernel);
  metricsRoutes(server, kernel, metrics);
  busRoutes(server, kernel, options.bus);
  shellRoutes(server, shell);
  screenRoutes(server, shell);
  workspaceRoutes(server, kernel);
  exportRoutes(server, kernel);
  bulkImportRoutes(server, kernel);
  moduleRoutes(server, kernel);
  staticRoutes(server, folder);
  addonFileRoutes(server, kernel, clients);
  addonRoutes(server, shell, served);
  return server;
}
