import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { addFolder } from './source-stamp.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, 'dist/.web-stamp');
const outdir = join(root, 'dist/web');
const compressible = /\.(js|css|svg|json|map)$/;

/** A digest of what the client is built from. */
export async function webStamp() {
  const hash = createHash('sha256').update(process.version);
  for (const folder of ['apps/web', 'packages/protocol'])
    await addFolder(hash, join(root, folder), /\.(tsx?|css|json)$/);
  hash.update(await readFile(join(root, 'scripts/build-web.mjs')));
  return hash.digest('hex');
}

export async function isWebBuilt() {
  const built = await readFile(stampFile, 'utf8').catch(() => '');
  return built !== '' && built === (await webStamp());
}

/** Builds the client with Vite into dist/web: manifest.json, assets/, and a .gz and .br beside each file that shrinks. */
export async function buildWeb() {
  const stamp = await webStamp();
  const { build } = await importVite();
  await build({ configFile: join(root, 'apps/web/vite.config.ts'), logLevel: 'warn' });
  await compressAll(outdir);
  await mkdir(dirname(stampFile), { recursive: true });
  await writeFile(stampFile, stamp);
}

/** Vite belongs to the client's workspace; another version may stand at the root for the test runner. */
async function importVite() {
  return import(createRequire(join(root, 'apps/web/package.json')).resolve('vite'));
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
