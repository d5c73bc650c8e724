import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildStart, notInWorkers } from './build-start.mjs';
import { buildWeb } from './build-web.mjs';
import { stampFile } from './check-sources.cjs';
import { sourceStamp } from './source-stamp.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Packages that every start loads, bundled like our own, because finding and reading some hundred files takes longer than running
 * them. None of them has files or binaries beside its code; all other packages from npm stay outside the bundle.
 */
const readByEveryStart = [
  ...['big.js', 'bidi-js', 'croner', 'fastify', 'find-my-way', 'nodemailer', 'otpauth', 'pg', 'pino', 'prom-client'],
  ...['rrule-temporal', 'sanitize-html', 'uqr', 'ws'],
];
/** The last is read when it is first used, as a file of its own: a third of what its packages take. */
export const bundled = new Set([...readByEveryStart, '@simplewebauthn/server']);
/** Optional imports of those packages for features that Kontor does not use. */
const neverRead = new Set([
  ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'],
  ...['pg-native', 'pg-cloudflare', 'bufferutil', 'utf-8-validate'],
]);

/**
 * Read by those, and never called: of sanitize-html the part that reads styles, which Kontor does not let through; and of fastify
 * the second version of HTTP, which proxies in front of Kontor speak.
 */
const leftOut = /^(?:postcss|node:http2)$/;

const npmOfStarts = {
  name: 'npm-of-starts',
  setup(builder) {
    builder.onResolve({ filter: leftOut }, ({ path }) => ({ path, namespace: 'left-out' }));
    builder.onLoad({ filter: leftOut, namespace: 'left-out' }, () => ({ contents: '' }));
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point' || path.startsWith('@kontor/') || path.startsWith('@addons/')) return undefined;
      if (builtinModules.includes(path.replace(/^node:/, ''))) return { path, external: true };
      if (neverRead.has(path)) return { path, external: true };
      if (bundled.has(path) || importer.includes('/node_modules/')) return undefined;
      if (isAtRoot(path)) return { path, external: true };
      const text = `"${path}" is not installed at the root, where the built server looks for it (from ${importer}).`;
      return { errors: [{ text }] };
    });
  },
};

/** The bundle is under the root, so a package that only a workspace has would be missing at the start. */
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
  const stamp = sourceStamp(root);
  const outdir = join(root, folder);
  await rm(outdir, { recursive: true, force: true });
  const addons = readdirSync(join(root, 'addons')).filter((name) => existsSync(join(root, 'addons', name, 'addon.ts')));
  const ofStarts = [
    { in: 'apps/server/main.ts', out: 'main' },
    { in: 'packages/addon/index.ts', out: 'door' },
    ...addons.map((name) => ({ in: `addons/${name}/addon.ts`, out: `addons/${name}` })),
  ];
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      ...ofStarts,
      { in: 'packages/exchange/thread/serve-task.ts', out: 'thread' },
      { in: 'packages/testing/index.ts', out: 'testing' },
      { in: 'packages/testing/browser/index.ts', out: 'testing-browser' },
      { in: 'packages/testing/cluster.ts', out: 'testing-cluster' },
    ],
    outdir,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    logLevel: 'warning',
    plugins: [npmOfStarts],
    define: notInWorkers,
    // CommonJS packages from npm import Node's own modules with it.
    banner: {
      js: `import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);`,
    },
  });
  if (folder !== usualFolder) return;
  const exportsOf = (out) => metafile.outputs[`${folder}/${out}.js`].exports;
  await buildStart({ entries: ofStarts, plugins: [npmOfStarts], exportsOf });
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(join(root, stampFile), stamp);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [only] = process.argv.slice(2);
  await Promise.all([only === 'web' ? null : buildServer(), only === 'server' ? null : buildWeb()]);
}
