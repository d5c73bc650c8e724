import { isLong } from '@kontor/testing';
import { afterAll, describe, vi } from 'vitest';

/** What is asked of changes, events, conflicts and undo elsewhere holds where no change takes the short way, too. */
vi.stubEnv('KONTOR_TEST_ORDINARY', '1');
afterAll(() => void vi.unstubAllEnvs());

describe('PRF-2 the ordinary way', async () => {
  await import('./rpc-changes.test.ts');
});

describe.runIf(isLong)('PRF-2 the ordinary way, all of it', async () => {
  if (!isLong) return;
  await import('./rpc-care.test.ts');
  await import('./feed.test.ts');
  await import('./bus.test.ts');
});
