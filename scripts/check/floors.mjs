/**
 * The floors of a package from the ground up: a file imports from its own floor and from those before it. A floor is a folder,
 * or a file beside the folders. Files that are not named stand above all floors.
 */
const floors = {
  'packages/orm': [
    ...[
      'fields',
      'model',
      'formula',
      'access',
      'schema',
      'author',
      'assemble',
      'domain',
      'graph',
      'reading',
      'external-ids.ts',
    ],
    ...['operation', 'plan', 'rows', 'defaults', 'given', 'states', 'settle', 'lists', 'drafts', 'writing'],
    ...['actions'],
  ],
  'packages/kernel': [
    ...['translations', 'config.ts', 'kontor-version.ts', 'work', 'runtime.ts', 'addons', 'kernel.ts', 'rpc'],
    ...['define-part.ts', 'check', 'docs', 'schema'],
  ],
  'packages/workspace': [
    ...[
      'query',
      'interface',
      'settings',
      'payload',
      'menus',
      'boards',
      'build-workspace.ts',
      'bootstrap',
      'day',
      'timeline',
      'find',
    ],
    ...['screens'],
  ],
  'apps/server': [
    ...[
      'addon-code.ts',
      'added',
      'logging',
      'http',
      'guards',
      'pages',
      'client',
      'answers',
      'backup',
      'moved-note.ts',
      'start-database.ts',
      'workers',
    ],
    ...[
      'development',
      'bus',
      'limits',
      'metrics',
      'open-fastify.ts',
      'routes',
      'create-server.ts',
      'open-application.ts',
    ],
    ...['mcp', 'config', 'commands'],
  ],
};
const aboveAll = Number.POSITIVE_INFINITY;
/** Files that run what others describe, and may know nothing else: a check in them would be skipped by the other ways. */
const narrow = {
  'packages/orm/writing/run-plan.ts': ['model/', 'plan/', 'rows/', 'operation/', 'writing/statement.ts'],
};

/** What is wrong with an import of one file by another of the same package; null when nothing is. */
export function floorProblem(file, target) {
  const home = file.split('/').slice(0, 2).join('/');
  const order = floors[home];
  if (!order || !target.startsWith(`${home}/`) || file.includes('/tests/')) return null;
  const [from, to] = [floorOf(order, file), floorOf(order, target)];
  if (from === -1) return `${file}: ${nameOf(file)}/ is no floor of ${home}; there are ${order.join(', ')}`;
  if (narrow[file] && !narrow[file].some((place) => target.startsWith(`${home}/${place}`)))
    return `${file}: imports ${target}; it runs the steps of a plan and may import only ${narrow[file].join(', ')}`;
  if (to <= from) return null;
  return `${file}: ${nameOf(file)} lies below ${nameOf(target)}, so it cannot import ${target}`;
}

function floorOf(order, file) {
  const name = nameOf(file);
  return name.endsWith('.ts') && !order.includes(name) ? aboveAll : order.indexOf(name);
}

function nameOf(file) {
  return file.split('/')[2];
}
