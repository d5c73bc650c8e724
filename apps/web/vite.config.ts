import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const doorFolder = join(root, 'apps/web/door');

/**
 * What the first screen needs is one file, and what several of the others share is another: by themselves modules would be put into
 * a file for every set of screens that has them, more than a hundred of them under a kilobyte.
 */
const chunks = [
  { name: 'first', tags: ['$initial' as const], priority: 2 },
  { name: 'shared', minShareCount: 2, priority: 1 },
];

/** The second is about what screens share: asked for late by one of them and at once by another. */
const expected = new Set(['MODULE_LEVEL_DIRECTIVE', 'INEFFECTIVE_DYNAMIC_IMPORT']);

/**
 * React makes a few exceptions while it is loaded, and throws the same ones over and over. Nobody asks where they were made, but a
 * browser that a debugger or a test has hold of notes it, and reads the whole script once more to find out. So they are made without.
 */
const exceptionsWithoutPlace: Plugin = {
  name: 'exceptions-without-place',
  transform: {
    filter: { id: /react-dom-client\.production\.js$/ },
    handler(code) {
      const made = /(?<=^(?:var | {2})\w+Exception = )Error\((formatProdErrorMessage\(\d+\))\)/gm;
      if (!made.test(code)) throw new Error('React no longer makes exceptions while it is loaded: this plugin can go.');
      return { code: code.replace(made, 'Object.create(Error.prototype, { message: { value: $1 } })'), map: null };
    },
  },
};

/** The file that each name of the door comes from. */
function doorSources(): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const file of readdirSync(doorFolder)) {
    const text = readFileSync(join(doorFolder, file), 'utf8');
    for (const [, list = '', path = ''] of text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)) {
      const source = path.startsWith('.') ? join(doorFolder, path) : path;
      for (const name of list.match(/\w+(?=\s*(?:,|$))/g) ?? []) sources.set(name, source);
    }
  }
  return sources;
}

/**
 * Views import all that they need from the door. Chunks are made by which files a screen reaches, and by the door each would reach them all: so
 * they are built as if they imported each name from the file that has it.
 */
const pastTheDoor: Plugin = {
  name: 'past-the-door',
  enforce: 'pre',
  transform: {
    filter: { id: /\/apps\/web\/views\/[^?]*\.tsx?$/ },
    handler(code, id) {
      const sources = doorSources();
      const direct = (list: string) =>
        (list.match(/\w+(?: \w+)*/g) ?? []).map((entry) => {
          if (entry.startsWith('type ')) return '';
          const source = sources.get(/^\w+/.exec(entry)?.[0] ?? '');
          if (!source) throw new Error(`${id}: ${entry} does not come through the door.`);
          const path = source.startsWith('/') ? relative(dirname(id), source) : source;
          return `import { ${entry} } from '${path}';`;
        });
      const imports = /^import (type )?\{([^}]*)\} from '[./]+\/door\/index\.ts';$/gm;
      // As many lines as before, so that source maps still fit.
      const read = (whole: string, type: string | undefined, list: string) =>
        (type ? '' : direct(list).join(' ')) + whole.replace(/[^\n]/g, '');
      return { code: code.replace(imports, read), map: null };
    },
  },
};

/** Relative addresses in the bundle, so that the server may serve it under any path. */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
  plugins: [exceptionsWithoutPlace, pastTheDoor],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    cssTarget: ['chrome123', 'safari17.5', 'firefox121'],
    modulePreload: { polyfill: false },
    sourcemap: true,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: 'apps/web/main.tsx',
      output: { codeSplitting: { groups: chunks } },
      onwarn: (warning, warn) => expected.has(warning.code ?? '') || warn(warning),
    },
  },
});
