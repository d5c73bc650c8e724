import type { FastifyInstance } from 'fastify';
import { createRouteTable, type RouteMatch } from '../addon-routes/route-table.ts';
import { routeCaller, runRoute, sendAnswer } from '../addon-routes/run-route.ts';
import { sendUnserved } from '../answers/answer-error.ts';
import type { Shell } from '../answers/send-shell.ts';
import { everythingElse, type ServedPaths } from '../http/served-paths.ts';

const maxBody = 4_000_000;

/**
 * Everything that the kernel does not serve itself: routes of active modules, else 405 or 404. The framework's routes
 * are fixed once it listens, so the routes of addons have a table of their own behind one wildcard.
 */
export function addonRoutes(server: FastifyInstance, shell: Shell, served: ServedPaths): void {
  const { kernel } = shell;
  const table = createRouteTable(kernel, served);
  const allowedAt = (url: string): readonly string[] => {
    const own = served.methodsOf(url);
    return own.length > 0 ? own : table.methodsOf(url);
  };
  server.addHook('onClose', async () => table.close());
  // Before a body is read: what nobody serves is not waited for.
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) return sendUnserved(shell, { request, reply }, allowedAt(request.url));
  });
  server.register(async (scope) => {
    const matches = new WeakMap<object, RouteMatch>();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: everythingElse,
      bodyLimit: maxBody,
      onRequest: async (request, reply) => {
        const isOurs = served.methodsOf(request.url).length > 0;
        const match = isOurs ? null : table.find(request.method, request.url);
        if (!match) return sendUnserved(shell, { request, reply }, allowedAt(request.url));
        request.addonRoute = match.spec.path;
        matches.set(request, match);
      },
      handler: async (request, reply) => {
        const match = matches.get(request) as RouteMatch;
        const caller = await routeCaller(kernel, match.spec.auth, request, reply);
        if (caller === null) return reply;
        return sendAnswer(reply, await runRoute(kernel, match, caller, request, reply));
      },
    });
  });
}
