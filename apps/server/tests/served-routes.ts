import type { TestServer } from './test-server.ts';

export interface ServedRoute {
  readonly verb: string;
  readonly path: string;
}

/** Every route there is, as the framework and the modules tell it, not as a test believes it. */
export function servedRoutes({ server, kernel }: TestServer): readonly ServedRoute[] {
  const found: ServedRoute[] = [];
  const above: string[] = [];
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', name = '', verbs = ''] = /^([│├└─\s]*)(\S+) \(([A-Z, ]+)\)$/.exec(line) ?? [];
    if (name === '') continue;
    const depth = indent.length / 4;
    above.splice(depth - 1, above.length, name);
    const path = above.join('').replace(/^\/\/+/, '/');
    if (path !== '/*') found.push(...verbs.split(', ').map((verb) => ({ verb, path })));
  }
  const ofAddons = [...kernel.loaded.definitions.values()].flatMap(({ routes = [] }) => routes);
  return [...found, ...ofAddons.map(({ method, path }) => ({ verb: method, path }))];
}
