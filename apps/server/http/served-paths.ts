import type { FastifyInstance } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';

/** Takes every path that no route of the kernel has; it is no path of its own. */
export const anyPath = '/*';

export interface ServedPaths {
  /** Verbs that the kernel serves at an address; none when it does not know it. */
  methodsOf(url: string): readonly string[];
}

/** Notes the routes that are registered after it. The framework tells of a pattern only, not of an address. */
export function watchServedPaths(server: FastifyInstance): ServedPaths {
  const router = findMyWay({ maxParamLength: 200 });
  const methods = new Set<HTTPMethod>();
  server.addHook('onRoute', ({ method, url }) => {
    if (url === anyPath) return;
    for (const each of [method].flat() as HTTPMethod[]) {
      router.on(each, url, () => {});
      methods.add(each);
    }
  });
  return { methodsOf: (url) => [...methods].filter((method) => router.find(method, url) !== null).sort() };
}
