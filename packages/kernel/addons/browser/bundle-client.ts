import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';

/** Modules that the shell provides to the browser code of addons; the page's import map resolves them. */
export const sharedImports = ['react', 'react/jsx-runtime', '@kontor/client'] as const;

export interface ClientSource {
  readonly name: string;
  readonly folder: string;
}

export interface ClientBundle {
  /** File names, which change with their content. */
  readonly script: string;
  readonly styles: readonly string[];
  readonly files: readonly { readonly name: string; readonly content: Uint8Array }[];
}

/** `client/index.ts` or `client/index.tsx` of an addon; null if it has no browser code. */
export function clientEntry({ folder }: Pick<ClientSource, 'folder'>): string | null {
  return ['index.ts', 'index.tsx'].map((name) => join(folder, 'client', name)).find(existsSync) ?? null;
}

/** Bundles the browser code of an addon without the modules that the shell shares. Throws like esbuild. */
export async function bundleClient(source: ClientSource, options: BuildOptions = {}): Promise<ClientBundle> {
  // Loaded on use: servers without outside addons never start the compiler.
  const esbuild = await import('esbuild');
  const entry = clientEntry(source);
  if (entry === null) throw new Error(`${source.name} has no client/index.ts.`);
  const built = await esbuild.build({
    entryPoints: [{ in: entry, out: `addon-${source.name}` }],
    absWorkingDir: source.folder,
    outdir: join(source.folder, '.built'),
    entryNames: '[name]-[hash]',
    chunkNames: `addon-${source.name}-part-[hash]`,
    assetNames: `addon-${source.name}-[name]-[hash]`,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: ['es2022', 'chrome123', 'safari17.5', 'firefox121'],
    jsx: 'automatic',
    logLevel: 'silent',
    loader: { '.svg': 'dataurl', '.png': 'dataurl', '.webp': 'dataurl' },
    ...options,
    plugins: [clientDoors()],
  });
  return toBundle(built, source);
}

function toBundle({ outputFiles = [], metafile }: BuildResult, { folder }: ClientSource): ClientBundle {
  const outputs = Object.entries(metafile?.outputs ?? {});
  const main = outputs.find(([, { entryPoint }]) => entryPoint !== undefined);
  if (!main) throw new Error(`Nothing was built from ${folder}.`);
  const [path, { cssBundle }] = main;
  return {
    script: basename(path),
    styles: cssBundle === undefined ? [] : [basename(cssBundle)],
    files: outputFiles.map((file) => ({ name: basename(file.path), content: file.contents })),
  };
}

function clientDoors(): Plugin {
  const shared: readonly string[] = sharedImports;
  return {
    name: 'kontor-client-doors',
    setup(build) {
      build.onResolve({ filter: /^(react|react-dom|@kontor|@addons)(\/|$)/ }, ({ path, kind }) => {
        if (!shared.includes(path)) {
          return {
            errors: [{ text: `"${path}" is not for the browser code of addons; there are ${shared.join(', ')}.` }],
          };
        }
        return kind === 'require-call' ? { path, namespace: 'kontor-shared' } : { path, external: true };
      });
      // CommonJS packages use `require`, which browsers do not have.
      build.onLoad({ filter: /.*/, namespace: 'kontor-shared' }, ({ path }) => ({
        contents: `export * from '${path}'; export { default } from '${path}';`,
        loader: 'js',
      }));
    },
  };
}
