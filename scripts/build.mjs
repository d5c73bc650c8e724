import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildWeb } from './build-web.mjs';
import { sourceStamp, stampFile } from './source-stamp.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Our own packages are bundled from source; everything from npm stays outside the bundle. */
const npmStaysOutside = {
  name: 'npm-stays-outside',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point' || path.startsWith('@kontor/') || path.startsWith('@addons/')) return undefined;
      if (isAtRoot(path)) return { path, external: true };
      const text = `"${path}" is not installed at the root, where the built server looks for it (from ${importer}).`;
      return { errors: [{ text }] };
    });
  },
};

/** The bundle lies under the root, so a package that only a workspace has would be missed at the start. */
function isAtRoot(path) {
  try {
    import.meta.resolve(path);
    return true;
  } catch {
    return false;
  }
}

const usualFolder = 'dist/server';

/** Builds the server, the doors of addons and of their tests, and every shipped addon, with shared chunks so that each module exists once. */
export async function buildServer(folder = usualFolder) {
  const stamp = await sourceStamp(root);
  const outdir = join(root, folder);
  await rm(outdir, { recursive: true, force: true });
  const addons = readdirSync(join(root, 'addons')).filter((name) => existsSync(join(root, 'addons', name, 'addon.ts')));
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: 'apps/server/main.ts', out: 'main' },
      { in: 'packages/addon/index.ts', out: 'door' },
      { in: 'packages/exchange/pdf/serve-drawing.ts', out: 'drawing' },
      { in: 'packages/testing/index.ts', out: 'testing' },
      { in: 'packages/testing/browser/index.ts', out: 'testing-browser' },
      { in: 'packages/testing/cluster.ts', out: 'testing-cluster' },
      ...addons.map((name) => ({ in: `addons/${name}/addon.ts`, out: `addons/${name}` })),
    ],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    logLevel: 'warning',
    plugins: [npmStaysOutside],
  });
  if (folder !== usualFolder) return;
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(join(root, stampFile), stamp);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [only] = process.argv.slice(2);
  await Promise.all([only === 'web' ? null : buildServer(), only === 'server' ? null : buildWeb()]);
}
