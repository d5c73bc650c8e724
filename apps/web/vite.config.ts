import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const doorFolder = join(root, 'apps/web/door');

/**
 * Two chunks: one for the first screen and one for code that several other screens share. The default would create a
 * chunk for every combination of screens, more than a hundred of them smaller than a kilobyte.
 */
const chunks = [
  { name: 'first', tags: ['$initial' as const], priority: 2 },
  { name: 'shared', minShareCount: 2, priority: 1 },
];

/** The second warning is about modules that some screens import statically and others dynamically. */
const expected = new Set(['MODULE_LEVEL_DIRECTIVE', 'INEFFECTIVE_DYNAMIC_IMPORT']);

/**
 * React creates a few exceptions when it loads and throws the same objects again and again. Nobody reads their stack
 * traces, but a browser under a debugger or a test captures them and parses the whole script to do so. This plugin
 * creates them without a stack trace.
 */
const exceptionsWithoutStack: Plugin = {
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

/** The source file of each export of `@kontor/client`. */
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
 * Views import everything from `@kontor/client`. Chunks are split by the files that a screen reaches, and through that
 * index every screen would reach all of them. This plugin rewrites each import to the file that declares the name.
 */
const directImports: Plugin = {
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
      // Keep the number of lines, so that source maps stay correct.
      const read = (whole: string, type: string | undefined, list: string) =>
        (type ? '' : direct(list).join(' ')) + whole.replace(/[^\n]/g, '');
      return { code: code.replace(imports, read), map: null };
    },
  },
};

/** Relative URLs in the bundle, so that the server can serve it under any path. */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
  plugins: [exceptionsWithoutStack, directImports],
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
