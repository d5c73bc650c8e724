import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll } from 'vitest';

/** A kernel with contacts installed, for the tests of one file. */
export function contactsWorld(options: Parameters<typeof createTestKernel>[0] = {}): () => TestKernel {
  let world: TestKernel;
  beforeAll(async () => {
    world = await createTestKernel({ modules: ['contacts'], ...options });
  });
  afterAll(() => world.close());
  return () => world;
}
