import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

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

/** Relative addresses in the bundle, so that the server may serve it under any path. */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
  plugins: [exceptionsWithoutPlace],
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
