import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What declares nothing: tests, and the browser code of shipped addons. */
const left = /\/(tests|node_modules|addons\/[a-z_]+\/client)$/;
const ownImport = /(\bfrom\s+|\bimport\s+|\bimport\(\s*|\bdeclare module\s+)'(@(?:kontor|addons)\/[^']+)'/g;

/**
 * Writes the declarations of some files, and of everything of ours that they need, into a folder. Our packages are first put into
 * one tree, in which they import each other by path: so the declarations need no other package of ours.
 */
export function emitTypes({ rooms, entries, compilerOptions = {}, outdir }) {
  const sources = join(root, 'dist', `.types-${process.pid}`);
  try {
    for (const room of rooms) copyRoom(room, sources);
    const { compilerOptions: usual } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
    const options = {
      ...usual,
      noUnusedLocals: false,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      // `npm run check:types` has done it.
      noCheck: true,
      rootDir: sources,
      outDir: outdir,
      ...compilerOptions,
    };
    const config = join(sources, 'tsconfig.json');
    writeFileSync(
      config,
      JSON.stringify({ compilerOptions: options, files: entries.map((file) => join(sources, file)) }),
    );
    rmSync(outdir, { recursive: true, force: true });
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, '-p', config, '--checkers', '2'], { encoding: 'utf8' });
  } catch (error) {
    if (error.stdout) throw new Error(`The types were not written:\n${error.stdout}`);
    throw error;
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
}

function copyRoom(room, sources) {
  cpSync(join(root, room), join(sources, room), {
    recursive: true,
    filter: (source) => (statSync(source).isDirectory() ? !left.test(source) : /\.(tsx?|json)$/.test(source)),
  });
  for (const entry of readdirSync(join(sources, room), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(entry)) continue;
    const file = join(sources, room, entry);
    writeFileSync(file, byPath(readFileSync(file, 'utf8'), relative(sources, dirname(file))));
  }
}

/** Imports of our packages by path; those in comments are examples and stay. */
function byPath(text, folder) {
  return text.replaceAll(ownImport, (whole, before, specifier, at) => {
    const lineStart = text.lastIndexOf('\n', at) + 1;
    if (/^\s*\*/.test(text.slice(lineStart, at))) return whole;
    const path = relative(folder, targetOf(specifier));
    return `${before}'${path.startsWith('.') ? path : `./${path}`}'`;
  });
}

const targets = new Map();

/** The file of a name such as `@kontor/orm/author`, relative to the root. */
function targetOf(specifier) {
  const known = targets.get(specifier);
  if (known) return known;
  const [scope, name, ...rest] = specifier.split('/');
  const homes = scope === '@addons' ? [`addons/${name}`] : [`packages/${name}`, `apps/${name}`];
  const home = homes.find((each) => existsSync(join(root, each, 'package.json')));
  if (!home) throw new Error(`${specifier} is no package of ours.`);
  const { exports: doors } = JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8'));
  const door = typeof doors === 'string' ? doors : doors[['.', ...rest].join('/')];
  const target = join(home, door);
  targets.set(specifier, target);
  return target;
}

export function makeFolder(path) {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}
