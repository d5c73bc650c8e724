import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Relative addresses in the bundle, so that the server may serve it under any path. */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
  esbuild: { jsx: 'automatic' },
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
    rollupOptions: {
      input: 'apps/web/main.tsx',
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
});
