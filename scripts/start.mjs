import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildWeb, isWebBuilt } from './build-web.mjs';
import { sourceStamp, stampFile } from './source-stamp.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const isWatched = process.env.WEB_IS_WATCHED === '1';
const [hasServer, hasWeb] = await Promise.all([isBuilt(), isWatched || isWebBuilt()]);
if (!hasServer || !hasWeb) {
  console.log('Building Kontor (once) …');
  const { buildServer } = await import('./build.mjs');
  await Promise.all([hasServer ? null : buildServer(), hasWeb ? null : buildWeb()]);
}
const { main } = await import('../dist/server/main.js');
await main(process.argv.slice(2));

async function isBuilt() {
  const built = await readFile(new URL(`../${stampFile}`, import.meta.url), 'utf8').catch(() => '');
  return built !== '' && built === (await sourceStamp(root));
}
