import { existsSync, readdirSync, watch } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import { buildAddonClients } from './build-addon-clients.mjs';
import { webStampFile } from './check-sources.cjs';
import { iconNames } from './icon-names.mjs';
import { keepBuilds } from './keep-builds.mjs';
import { webStamp } from './source-stamp.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, webStampFile);
const buildsFile = join(root, 'dist/.web-builds.json');
const outdir = join(root, 'dist/web');
const configFile = join(root, 'apps/web/vite.config.ts');
const compressible = /\.(js|css|svg|json|map)$/;

/** Builds the client with Vite into dist/web: manifest.json, assets/, and a .gz and .br beside each file that shrinks. */
export async function buildWeb() {
  const stamp = webStamp();
  const { build } = await importVite();
  const made = `${outdir}.${process.pid}`;
  await build({ configFile, logLevel: 'warn', build: { outDir: made } });
  await buildAddonClients(made);
  await copyPageFont(made);
  await buildPageScripts(made);
  await compressAll(made);
  await writeFile(join(made, 'icons.json'), JSON.stringify(await iconNames(root)));
  await takeOver(made);
  await writeFile(stampFile, stamp);
}

/** The pages that come before the client (sign in, set up) have no bundle: their font has a name that stays. */
async function copyPageFont(folder) {
  const file = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
  await mkdir(folder, { recursive: true });
  await cp(createRequire(join(root, 'apps/web/package.json')).resolve(file), join(folder, 'page-font.woff2'));
}

/**
 * Scripts and styles of pages outside the client, by names that stay: for passkeys on the pages of those, and `page/` of each addon
 * with pages of its own.
 */
function pageEntries() {
  const ofAddons = readdirSync(join(root, 'addons')).flatMap((addon) =>
    ['ts', 'css']
      .map((type) => `addons/${addon}/page/page.${type}`)
      .filter((file) => existsSync(join(root, file)))
      .map((file) => ({ in: file, out: `page-${addon}` })),
  );
  return [{ in: 'apps/web/page-passkey.ts', out: 'page-passkey' }, ...ofAddons];
}

function pageFiles() {
  const names = pageEntries().map(({ in: file, out }) => `${out}.${file.endsWith('.css') ? 'css' : 'js'}`);
  return names.flatMap((name) => [`${name}.gz`, `${name}.br`, name]);
}

async function buildPageScripts(folder) {
  await esbuild({
    absWorkingDir: root,
    entryPoints: pageEntries(),
    outdir: folder,
    external: ['/web/static/*'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
}

/** Vite belongs to the client's workspace; another version may be at the root for the test runner. */
async function importVite() {
  return import(createRequire(join(root, 'apps/web/package.json')).resolve('vite'));
}

/** For development: plain, unminified, and rebuilt on every change. Resolves after the first build. */
export async function watchWeb(onBuilt) {
  const { build } = await importVite();
  const options = { outDir: outdir, emptyOutDir: false, minify: false, watch: {} };
  const watcher = await build({ configFile, logLevel: 'error', build: options });
  await rm(stampFile, { force: true });
  await copyPageFont(outdir);
  await buildPageScripts(outdir);
  watchAddonClients(onBuilt);
  return new Promise((resolve) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(event.error.message);
      if (event.code !== 'BUNDLE_END') return;
      void event.result.close();
      void buildAddonClients(outdir)
        .catch((error) => console.error(error.message))
        .then(dropCompressed)
        .then(() => {
          onBuilt((event.duration / 1000).toFixed(1));
          resolve();
        });
    });
  });
}

function watchAddonClients(onBuilt) {
  let timer = null;
  watch(join(root, 'addons'), { recursive: true }, (_event, file) => {
    if (!/^[^/]+\/client\//.test(file ?? '')) return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const from = Date.now();
      await buildAddonClients(outdir).then(
        () => onBuilt(((Date.now() - from) / 1000).toFixed(1)),
        (error) => console.error(error.message),
      );
    }, 100);
  });
}

/** Compressed files of an earlier build would be served instead of the new build. */
async function dropCompressed() {
  for (const name of ['manifest.json.gz', 'manifest.json.br', 'addons.json.gz', 'addons.json.br'])
    await rm(join(outdir, name), { force: true });
}

/** The manifest comes last and assets of the builds before stay: a page that is being loaded, or open, finds its files. */
async function takeOver(made) {
  await mkdir(outdir, { recursive: true });
  // The files of a client without a list count as the previous build.
  if (!existsSync(buildsFile)) await writeFile(buildsFile, JSON.stringify([await currentFiles().catch(() => [])]));
  await cp(join(made, 'assets'), join(outdir, 'assets'), { recursive: true });
  for (const name of [
    'page-font.woff2',
    'icons.json',
    ...pageFiles(),
    'addons.json',
    'manifest.json.gz',
    'manifest.json.br',
    'manifest.json',
  ]) {
    await rename(join(made, name), join(outdir, name)).catch(() => {});
  }
  await rm(made, { recursive: true, force: true });
  await keepBuilds(join(outdir, 'assets'), buildsFile, await currentFiles());
}

async function currentFiles() {
  const manifest = JSON.parse(await readFile(join(outdir, 'manifest.json'), 'utf8'));
  const { imports, addons } = JSON.parse(await readFile(join(outdir, 'addons.json'), 'utf8'));
  const own = Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]);
  const brought = Object.values(addons).flatMap(({ script, styles }) => [script, ...styles]);
  return [...own, ...brought, ...Object.values(imports)].map((path) => basename(path));
}

async function compressAll(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
  await Promise.all(files.map((entry) => compress(join(entry.parentPath ?? entry.path, entry.name))));
}

async function compress(path) {
  const content = await readFile(path);
  if (content.length < 512) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [gz, br] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, { params }),
  ]);
  await Promise.all([writeFile(`${path}.gz`, gz), writeFile(`${path}.br`, br)]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb();
