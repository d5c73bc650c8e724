import type { Kernel, RouteSpec } from '@kontor/kernel';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { ServedPaths } from './served-paths.ts';

export interface AddonRoute {
  readonly module: string;
  readonly spec: RouteSpec;
}

export interface RouteMatch extends AddonRoute {
  readonly params: Readonly<Record<string, string>>;
}

export interface RouteTable {
  find(method: string, url: string): RouteMatch | null;
  /** Methods that addons serve at a path. */
  methodsOf(url: string): readonly string[];
  /** Reports routes that cannot be served, if none was requested yet. */
  open(): void;
  /** Stops following the modules. */
  close(): void;
}

type Router = ReturnType<typeof findMyWay>;
const verbs: readonly HTTPMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The routes of active modules, built again whenever modules change here or in another process. */
export function createRouteTable(kernel: Kernel, served: ServedPaths): RouteTable {
  let router: Router | null = null;
  const open = (): Router => {
    router ??= build(kernel, served);
    return router;
  };
  const close = kernel.on('modules', () => {
    router = build(kernel, served);
  });
  const find = (method: string, url: string): RouteMatch | null => {
    const found = open().find(method as HTTPMethod, url);
    return found && { ...(found.store as AddonRoute), params: found.params as Record<string, string> };
  };
  return { find, open, methodsOf: (url) => verbs.filter((verb) => find(verb, url) !== null), close };
}

function build(kernel: Kernel, served: ServedPaths): Router {
  const router = findMyWay({ maxParamLength: 200 });
  const { definitions, states } = kernel.loaded;
  for (const [module, { routes }] of definitions) {
    if (states.get(module) !== 'installed') continue;
    for (const spec of routes) add(router, { module, spec }, kernel, served);
  }
  return router;
}

/** A route that cannot be served is left out and reported: a mistake in one addon does not affect others. */
function add(router: Router, route: AddonRoute, { log }: Kernel, served: ServedPaths): void {
  const { module, spec } = route;
  try {
    if (!verbs.includes(spec.method)) throw new Error('its method is not one of those for addons.');
    if (served.methodsOf(spec.path).length > 0) throw new Error('the path is one of the server itself.');
    if (spec.cookie && !spec.cookie.name.startsWith(`${module}_`))
      throw new Error(`the name of its cookie does not begin with ${module}_.`);
    router.on(spec.method, spec.path, () => {}, route);
  } catch (error) {
    const reason = (error as Error).message;
    log.warn({ module }, `The route ${spec.method} ${spec.path} of ${module} is left out: ${reason}`);
  }
}
