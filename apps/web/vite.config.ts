import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

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

/** Relative addresses in the bundle, so that the server may serve it under any path. */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
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
