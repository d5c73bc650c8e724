import { defineConfig } from 'vitest/config';
import { LongestFirst } from './packages/testing/longest-first.ts';

/**
 * Tests make much that nobody needs a moment later, and run most code a few times: V8 copies less of the one with more room, and
 * compiles less of the other when it waits longer, which versions after Node 20 cannot be told.
 */
const v8Flags = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=64',
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []),
];

export default defineConfig({
  test: {
    include: ['{packages,apps,addons}/**/tests/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'packages/create-kontor/starter/**'],
    globalSetup: ['packages/testing/cluster.ts'],
    setupFiles: ['scripts/tests/same-seed.ts'],
    // The timeouts are long so that only a hang fails, not a busy machine.
    env: { TZ: 'UTC', KONTOR_TEST_WAIT_MS: '150000' },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    // Importing a file does nothing here: files that run one after the other in a process can share what they import.
    isolate: false,
    execArgv: v8Flags,
    // One more than cores, since screens wait for frames and servers for the database.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
