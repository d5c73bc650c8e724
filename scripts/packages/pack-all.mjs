import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { clientDoor } from '../build-addon-clients.mjs';
import { emitTypes, makeFolder } from './emit-types.mjs';
import { guidePages } from './guide-pages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version, license, engines, overrides } = readJson('package.json');

/** What the declarations name that is not ours, at the versions that we compile with. */
const typesNeeded = ['@types/big.js', '@types/node', '@types/pg'];

/**
 * The packages for authors of addons, each in a folder of its own as npm packs it. What they run is the server's own code, in
 * `kontor`: there is one kernel in a process. They bring the types of it.
 */
export function stageAuthorPackages(folder) {
  makeFolder(folder);
  stageAddon(join(folder, 'addon'));
  stageTesting(join(folder, 'testing'));
  stageClient(join(folder, 'client'));
  stageRpc(join(folder, 'rpc'));
  stageCreate(join(folder, 'create-kontor'));
  return ['addon', 'testing', 'client', 'rpc', 'create-kontor'].map((name) => join(folder, name));
}

export function stageAddon(folder) {
  makeFolder(folder);
  const addons = readdirSync(join(root, 'addons')).filter((name) => existsSync(join(root, 'addons', name, 'addon.ts')));
  const rooms = readdirSync(join(root, 'packages')).filter(
    (name) => !['client', 'rpc', 'create-kontor'].includes(name),
  );
  emitTypes({
    rooms: [
      ...rooms.map((name) => `packages/${name}`),
      'apps/server/config',
      'apps/server/added',
      ...addons.map((name) => `addons/${name}`),
    ],
    entries: [
      'packages/addon/index.ts',
      'packages/testing/index.ts',
      'packages/testing/browser/index.ts',
      ...addons.map((name) => `addons/${name}/addon.ts`),
    ],
    outdir: join(folder, 'types'),
  });
  writeManifest(folder, {
    name: '@kontor/addon',
    description: 'What an addon of Kontor is written with',
    exports: {
      '.': { types: './types/index.d.ts', default: './index.js' },
      './types/*': { types: './types/*.d.ts' },
      './tsconfig.json': './tsconfig.json',
      './tsconfig.client.json': './tsconfig.client.json',
    },
    dependencies: versionsOf(typesNeeded),
    peerDependencies: { kontor: `^${version}` },
  });
  for (const name of addons) declareModels(join(folder, 'types'), name);
  // REF-1 keeps it as `npm run reference` makes it.
  cpSync(join(root, 'docs/reference'), join(folder, 'docs/reference'), { recursive: true });
  for (const page of guidePages()) cpSync(join(root, 'docs', page), join(folder, 'docs', page));
  writeFileSync(join(folder, 'index.js'), "export * from 'kontor/door';\n");
  // Every addon stands on base, and may name its models without importing it.
  const models = [...declaringFiles(join(folder, 'types/packages'), './packages'), './addons/base/addon'];
  writeFileSync(join(folder, 'types/index.d.ts'), `${importLines(models)}export * from './packages/addon/index';\n`);
  const { compilerOptions } = readJson('tsconfig.json');
  // The types of the shipped addons, under the names by which addons import each other.
  const paths = { '@addons/*': ['./types/addons/*/addon.d.ts'] };
  writeJson(join(folder, 'tsconfig.json'), { compilerOptions: { ...compilerOptions, paths } });
  const browser = { lib: ['es2023', 'dom', 'dom.iterable'], jsx: 'react-jsx', types: [], paths: {} };
  writeJson(join(folder, 'tsconfig.client.json'), { compilerOptions: { ...compilerOptions, ...browser } });
}

/**
 * The compiler drops imports of which no type is used, so an addon's declaration would miss the models that its other files declare.
 * Imports them again, and the addons that it depends on.
 */
function declareModels(types, name) {
  const home = join(types, 'addons', name);
  const { depends = [] } = readJson(`addons/${name}/manifest.json`);
  const file = join(home, 'addon.d.ts');
  const imported = [...depends.map((other) => `../${other}/addon`), ...declaringFiles(home)];
  writeFileSync(file, importLines(imported) + readFileSync(file, 'utf8'));
}

/** The declarations in a folder that add to an interface such as `Models`. */
function declaringFiles(home, prefix = '.') {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts') && /^declare module /m.test(readFileSync(join(home, file), 'utf8')))
    .map((file) => `${prefix}/${file.replace(/\.d\.ts$/, '')}`)
    .sort();
}

function importLines(paths) {
  return paths.map((path) => `import '${path}';\n`).join('');
}

export function stageTesting(folder) {
  makeFolder(folder);
  const { dependencies } = readJson('packages/testing/package.json');
  const { vite } = readJson('apps/web/package.json').dependencies;
  const { vitest, 'smtp-server': smtp, 'playwright-core': playwright } = dependencies;
  const doors = { index: 'testing', browser: 'testing-browser', cluster: 'testing-cluster' };
  writeManifest(folder, {
    name: '@kontor/testing',
    description: 'Tests of addons of Kontor: databases, people, screens',
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './browser': { types: './browser.d.ts', default: './browser.js' },
      './cluster': './cluster.js',
      './vitest.config': './vitest.config.js',
    },
    // What bundles under vitest is named too, at our versions: a newer one may lack the binaries of an architecture.
    dependencies: { '@kontor/addon': version, 'smtp-server': smtp, vitest, vite, ...overrides },
    peerDependencies: { 'axe-core': '*', kontor: `^${version}`, 'playwright-core': playwright },
    peerDependenciesMeta: { 'axe-core': { optional: true }, 'playwright-core': { optional: true } },
  });
  for (const [name, door] of Object.entries(doors)) {
    const also = name === 'cluster' ? "export { default } from 'kontor/testing-cluster';\n" : '';
    writeFileSync(join(folder, `${name}.js`), also || `export * from 'kontor/${door}';\n`);
  }
  cpSync(join(root, 'packages/testing/vitest.config.js'), join(folder, 'vitest.config.js'));
  // A test knows the models of base by itself, as an addon does.
  for (const [name, path] of Object.entries({ index: 'testing/index', browser: 'testing/browser/index' })) {
    const types = `import '@kontor/addon';\nexport * from '@kontor/addon/types/packages/${path}';\n`;
    writeFileSync(join(folder, `${name}.d.ts`), types);
  }
}

export function stageClient(folder) {
  makeFolder(folder);
  emitTypes({
    rooms: ['apps/web', 'packages/protocol'],
    entries: ['apps/web/door/index.ts', 'apps/web/files.d.ts'],
    compilerOptions: { lib: ['es2023', 'dom', 'dom.iterable'], jsx: 'react-jsx' },
    outdir: join(folder, 'types'),
  });
  const { devDependencies } = readJson('apps/web/package.json');
  writeManifest(folder, {
    name: '@kontor/client',
    description: 'What the browser code of an addon of Kontor is written with',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    dependencies: { '@types/react': devDependencies['@types/react'] },
    peerDependencies: { kontor: `^${version}` },
  });
  cpSync(join(root, 'apps/web/files.d.ts'), join(folder, 'files.d.ts'));
  writeFileSync(
    join(folder, 'index.d.ts'),
    '/// <reference path="./files.d.ts" />\nexport * from \'./types/apps/web/door/index\';\n',
  );
}

/** The client for programs: one file for browsers and Node, which needs nothing else. */
export function stageRpc(folder) {
  emitTypes({
    rooms: ['packages/rpc', 'packages/protocol'],
    entries: ['packages/rpc/index.ts'],
    outdir: join(folder, 'types'),
  });
  buildSync({
    entryPoints: [join(root, 'packages/rpc/index.ts')],
    outfile: join(folder, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    sourcemap: true,
  });
  // Where the sources lie on this machine is nobody's concern; the map holds them.
  const map = JSON.parse(readFileSync(join(folder, 'index.js.map'), 'utf8'));
  const sources = map.sources.map((source) => basename(source));
  writeFileSync(join(folder, 'index.js.map'), JSON.stringify({ ...map, sources }));
  writeManifest(folder, {
    name: '@kontor/rpc',
    description: 'The client of Kontor for programs, in browsers and Node',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    sideEffects: false,
  });
  writeFileSync(join(folder, 'index.d.ts'), "export * from './types/packages/rpc/index.js';\n");
}

function stageCreate(folder) {
  cpSync(join(root, 'packages/create-kontor'), folder, {
    recursive: true,
    filter: (path) => !/\/(node_modules|create-kontor\/tests)$/.test(path),
  });
  const { private: _, devDependencies: __, ...manifest } = readJson('packages/create-kontor/package.json');
  const files = ['create-kontor.mjs', 'versions.json', 'starter'];
  writeJson(join(folder, 'package.json'), { ...manifest, version, engines, files });
}

function writeManifest(folder, manifest) {
  const files = ['*.js', '*.js.map', '*.d.ts', '*.json', 'types', 'docs'];
  writeJson(join(folder, 'package.json'), { version, license, type: 'module', engines, files, ...manifest });
}

function versionsOf(names) {
  const { devDependencies } = readJson('package.json');
  return Object.fromEntries(names.map((name) => [name, devDependencies[name]]));
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Makes tarballs of all packages, the server's own among them, and says their names. */
export async function packAll(folder = join(root, 'dist/packages')) {
  const staged = stageAuthorPackages(folder);
  writeFileSync(join(folder, 'client/index.js'), await clientDoor());
  const pack = (source) =>
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: source, encoding: 'utf8' });
  return [...staged, root].map((source) => join(folder, JSON.parse(pack(source))[0].filename));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const file of await packAll()) console.log(file);
