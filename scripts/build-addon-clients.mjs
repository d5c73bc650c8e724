import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { clientFolders } from './source-stamp.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Puts the browser code of the shipped addons beside the client, with the small modules through which it reaches what the
 * shell shares; `addons.json` says which file is whose. The same bundler makes that of addons from outside when they load.
 */
export async function buildAddonClients(outdir) {
  const { bundleClient, sharedImports } = await importTypeScript('packages/kernel/addons/browser/bundle-client.ts');
  await mkdir(join(outdir, 'assets'), { recursive: true });
  const imports = {};
  for (const name of sharedImports) imports[name] = await writeDoor(outdir, name);
  const addons = {};
  for (const folder of clientFolders()) {
    const name = folder.split('/').at(-2);
    const { script, styles, files } = await bundleClient({ name, folder: join(folder, '..') }, { sourcemap: 'linked' });
    for (const file of files) await writeFile(join(outdir, 'assets', file.name), file.content);
    addons[name] = { script: `assets/${script}`, styles: styles.map((style) => `assets/${style}`) };
  }
  await writeWhole(join(outdir, 'addons.json'), JSON.stringify({ imports, addons }));
}

/** A module that hands on what the shell has put on the table: there is one React in a page. */
async function doorText(specifier) {
  const names = (await exportsOf(specifier)).filter((name) => name !== 'default' && name !== 'module.exports');
  return `const shared = globalThis.__KONTOR_SHARED__[${JSON.stringify(specifier)}];
export default shared;
export const { ${names.join(', ')} } = shared;
`;
}

/** The same for the package `@kontor/client`, which says so where there is no page. */
export async function clientDoor() {
  const reason =
    "'@kontor/client is there in a page of Kontor only; for tests of its code open one with @kontor/testing/browser.'";
  return `if (!globalThis.__KONTOR_SHARED__) throw new Error(${reason});
${await doorText('@kontor/client')}`;
}

async function writeDoor(outdir, specifier) {
  const text = await doorText(specifier);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const file = `assets/door-${specifier.replaceAll(/[^a-z]+/g, '-').replace(/^-/, '')}-${hash}.js`;
  await writeFile(join(outdir, file), text);
  return file;
}

async function exportsOf(specifier) {
  if (specifier !== '@kontor/client') {
    return Object.keys(createRequire(join(root, 'apps/web/package.json'))(specifier));
  }
  const { metafile } = await build({
    entryPoints: [join(root, 'apps/web/door/index.ts')],
    outdir: join(root, 'dist'),
    bundle: true,
    format: 'esm',
    write: false,
    metafile: true,
    plugins: [doorAlone],
  });
  return Object.values(metafile.outputs)[0].exports;
}

/** The names of the door are in its own files; what they come from is not read. */
const doorAlone = {
  name: 'door-alone',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === 'entry-point' || path.startsWith('./') ? null : { path, external: true },
    );
  },
};

/** Scripts are plain JavaScript; what they share with the server is TypeScript. */
async function importTypeScript(file) {
  const { outputFiles } = await build({
    entryPoints: [join(root, file)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
  });
  const made = join(root, 'node_modules/.cache', `kontor-${process.pid}-${Date.now()}.mjs`);
  await mkdir(join(made, '..'), { recursive: true });
  await writeFile(made, outputFiles[0].contents);
  return import(made);
}

async function writeWhole(file, text) {
  await writeFile(`${file}.part`, text);
  await rename(`${file}.part`, file);
}
