import { isLong } from '@kontor/testing';
import { afterAll, describe, vi } from 'vitest';

/** What is asked of changes, events, conflicts and undo elsewhere holds where no change takes the short way, too. */
vi.stubEnv('KONTOR_TEST_ORDINARY', '1');
afterAll(() => void vi.unstubAllEnvs());

/** As a file of its own: the same process may have run it already. */
const again = (file: string) => import(/* @vite-ignore */ `./${file}.test.ts?ordinary`);

describe('PRF-2 the ordinary way', async () => {
  await again('rpc-changes');
});

describe.runIf(isLong)('PRF-2 the ordinary way, all of it', async () => {
  if (!isLong) return;
  await again('rpc-care');
  await again('feed');
  await again('bus');
});
