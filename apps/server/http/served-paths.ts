import type { FastifyInstance } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';

/** Matches every path that no route of the kernel has; not a path itself. */
export const anyPath = '/*';

export interface ServedPaths {
  /** Methods that the kernel serves at a path; none if it does not know the path. */
  methodsOf(url: string): readonly string[];
}

/**
 * Records the routes that are registered after it, since the framework reports only patterns, not addresses. The router is built on
 * first use, which no start needs.
 */
export function watchServedPaths(server: FastifyInstance): ServedPaths {
  const routes: { readonly method: HTTPMethod; readonly url: string }[] = [];
  let find: ServedPaths['methodsOf'] | null = null;
  server.addHook('onRoute', ({ method, url }) => {
    if (url === anyPath) return;
    for (const each of [method].flat() as HTTPMethod[]) routes.push({ method: each, url });
    find = null;
  });
  return {
    methodsOf(url) {
      find ??= finderOf(routes);
      return find(url);
    },
  };
}

function finderOf(routes: readonly { readonly method: HTTPMethod; readonly url: string }[]): ServedPaths['methodsOf'] {
  const router = findMyWay({ maxParamLength: 200 });
  for (const { method, url } of routes) router.on(method, url, () => {});
  const methods = [...new Set(routes.map(({ method }) => method))].sort();
  return (url) => methods.filter((method) => router.find(method, url) !== null);
}
