import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const cluster = existsSync(here('./cluster.ts')) ? here('./cluster.ts') : here('./cluster.js');
const addons = (process.env.KONTOR_TEST_ADDONS ?? '')
  .split(',')
  .filter((folder) => existsSync(join(folder, 'addon.ts')));

/** How tests of addons run: on one PostgreSQL for the whole run, from the folder `tests`. */
export default defineConfig({
  resolve: {
    alias: [
      ...addons.map((folder) => ({ find: `@addons/${basename(folder)}`, replacement: join(folder, 'addon.ts') })),
      { find: /^@addons\/(\w+)$/, replacement: 'kontor/addons/$1' },
    ],
  },
  test: {
    include: ['**/tests/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: [cluster],
    env: { TZ: 'UTC' },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    isolate: false,
  },
});
