import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean } from '@kontor/protocol';
import type { BuildResult, Message, Plugin } from 'esbuild';
import { AddonError } from './addon-error.ts';
import { rememberMap } from './author-places.ts';
import type { Addon } from './catalogue.ts';
import { withCompiler } from './with-compiler.ts';

export interface CompileOptions {
  readonly cacheDir: string;
  /** File URL for `@kontor/addon`: the door of the running server, of which there must be only one. */
  readonly addonDoor: string;
  /** File URL of another addon's code, for `@addons/<name>`; null if it has none. */
  readonly addonUrl: (name: string) => Promise<string | null>;
}

export interface CompiledAddon {
  readonly url: string;
  /** The source map's JSON, to find the author's line behind an error. */
  readonly map: string;
}

/** Bundles the code of an addon outside the server's build into one file, named by its content. */
export async function compileAddon(addon: Addon, options: CompileOptions): Promise<CompiledAddon> {
  const result = await build(addon, options);
  const text = result.outputFiles?.find((file) => file.path.endsWith('.mjs'))?.text ?? '';
  const map = result.outputFiles?.find((file) => file.path.endsWith('.map'))?.text ?? '{}';
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 20);
  const file = join(options.cacheDir, `${addon.name}-${hash}.mjs`);
  await mkdir(options.cacheDir, { recursive: true });
  await writeAtomically(file, text);
  const url = pathToFileURL(file).href;
  rememberMap(url, map);
  return { url, map };
}

async function build(addon: Addon, options: CompileOptions): Promise<BuildResult> {
  try {
    return await withCompiler((esbuild) =>
      esbuild.build({
        entryPoints: [join(addon.folder, 'addon.ts')],
        absWorkingDir: addon.folder,
        outfile: join(options.cacheDir, `${addon.name}.mjs`),
        bundle: true,
        write: false,
        platform: 'node',
        format: 'esm',
        target: 'node20',
        sourcemap: 'external',
        logLevel: 'silent',
        banner: { js: requireShim(addon) },
        plugins: [doors(addon, options)],
      }),
    );
  } catch (error) {
    throw asAddonError(addon, error);
  }
}

/** CommonJS packages inside the bundle may ask for node's own modules through `require`. */
function requireShim(addon: Addon): string {
  const from = JSON.stringify(pathToFileURL(join(addon.folder, 'addon.ts')).href);
  return `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(${from});`;
}

function doors(addon: Addon, options: CompileOptions): Plugin {
  // Every addon stands on base, whether its manifest says so or not.
  const reachable = [addon.name, 'base', ...addon.manifest.depends];
  return {
    name: 'kontor-doors',
    setup(build) {
      build.onResolve({ filter: /^@kontor\// }, ({ path }) => {
        if (path === '@kontor/addon') return { path: options.addonDoor, external: true };
        return { errors: [{ text: `"${path}" is not for addons; import from "@kontor/addon".` }] };
      });
      build.onResolve({ filter: /^@addons\// }, async ({ path }) => {
        const name = path.slice('@addons/'.length);
        if (name === addon.name) return { path: join(addon.folder, 'addon.ts') };
        if (!reachable.includes(name)) {
          const hint = didYouMean(name, reachable) || 'Add it to "depends" in manifest.json.';
          return { errors: [{ text: `"${name}" is not among the dependencies. ${hint.trim()}` }] };
        }
        const url = await options.addonUrl(name);
        return url ? { path: url, external: true } : { errors: [{ text: `The addon "${name}" has no code.` }] };
      });
    },
  };
}

export function asAddonError(addon: Addon, error: unknown, file = 'addon.ts'): AddonError {
  const [first, ...others] = ((error as { errors?: readonly Message[] }).errors ?? []).map((each) =>
    located(addon, each),
  );
  if (!first) return new AddonError({ addon: addon.name, file }, `The code does not compile: ${String(error)}`);
  first.also = others;
  return first;
}

function located(addon: Addon, { location: at, text }: Message): AddonError {
  // esbuild returns paths relative to the working directory, which is the addon's folder.
  const place = at ? { addon: addon.name, file: at.file, line: at.line } : { addon: addon.name };
  return new AddonError(place, `The code does not compile: ${text}`);
}

/** Others may be reading or writing the same file, here or in another process, so it is created atomically. */
export async function writeAtomically(file: string, text: string | Uint8Array): Promise<void> {
  const partial = `${file}.${randomUUID()}.part`;
  await writeFile(partial, text);
  await rename(partial, file);
}

/** Changes when a file of the folder is changed, added or removed. Imported packages are not checked. */
export async function stampOfFolder(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await filesUnder(folder)).sort()) {
    const { size, mtimeMs } = await stat(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** All files of a folder except packages and hidden files. */
export async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const own = entries.filter((entry) => entry.name !== 'node_modules' && !entry.name.startsWith('.'));
  const files = own.filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name));
  const below = await Promise.all(
    own.filter((entry) => entry.isDirectory()).map((entry) => filesUnder(join(folder, entry.name))),
  );
  return [...files, ...below.flat()];
}
