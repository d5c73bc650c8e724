import { sql } from '@kontor/database';
import { createCache } from '@kontor/kernel';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findApiKey, keyCache } from '../identity/api-keys.ts';
import { createApiKey } from '../identity/key-secrets.ts';
import { digest } from '../identity/secrets.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
});
afterAll(() => world.close());

async function newKey(expiresAt: string | null = null): Promise<{ id: number; secret: string }> {
  return world.work((env) => createApiKey(env, { userId: 1, name: 'test', expiresAt, scope: null }));
}

/** A cache of its own on the same database, and what it read. */
function countedCache() {
  const load = vi.fn((hash: string) => world.work((env) => keyCache.load(env, hash)));
  return { load, cache: createCache(load, keyCache) };
}

test('AUTH-3: a busy key is looked up once, not with every call', async () => {
  const { id, secret } = await newKey();
  const { cache, load } = countedCache();
  const found = await Promise.all([1, 2, 3].map(() => cache.get(digest(secret))));
  expect(found[2]).toMatchObject({ id, uid: 1, scope: null });
  expect(load).toHaveBeenCalledTimes(1);
  cache.drop();
  await cache.get(digest(secret));
  expect(load).toHaveBeenCalledTimes(2);
});

test('AUTH-3: a key that is ended here stops at once', async () => {
  const { id, secret } = await newKey();
  expect(await findApiKey(world.kernel, secret)).not.toBeNull();
  await world.work((env) => env.model('core.user.apikey').write([id], { active: false }));
  expect(await findApiKey(world.kernel, secret)).toBeNull();
  await world.work((env) => env.model('core.user.apikey').write([id], { active: true }));
  expect(await findApiKey(world.kernel, secret)).not.toBeNull();
  await world.work((env) => env.model('core.user.apikey').unlink([id]));
  expect(await findApiKey(world.kernel, secret)).toBeNull();
});

test('AUTH-3: the key of a person who is archived stops at once', async () => {
  const { uid } = await world.person('Leaver');
  const { secret } = await world.work((env) =>
    createApiKey(env, { userId: uid, name: 'test', expiresAt: null, scope: null }),
  );
  expect(await findApiKey(world.kernel, secret)).not.toBeNull();
  await world.work((env) => env.model('core.user').write([uid], { active: false }));
  expect(await findApiKey(world.kernel, secret)).toBeNull();
});

test('AUTH-7: a key that nobody told of stops soon, as does one that expires', async () => {
  const [ended, expiring] = [await newKey(), await newKey('2090-01-01T00:00:00Z')];
  expect(await findApiKey(world.kernel, ended.secret)).not.toBeNull();
  expect(await findApiKey(world.kernel, expiring.secret)).not.toBeNull();
  await world.kernel.database.execute(sql`update core_user_apikey set active = false where id = ${ended.id}`);
  await world.kernel.database.execute(sql`update core_user_apikey set expires_at = now() where id = ${expiring.id}`);
  for (const { secret } of [ended, expiring]) {
    await vi.waitFor(async () => expect(await findApiKey(world.kernel, secret)).toBeNull(), {
      timeout: 120_000,
      interval: 20,
    });
  }
});

test('AUTH-3: guesses are not kept', async () => {
  const guess = `sk_${'0'.repeat(48)}`;
  const { cache, load } = countedCache();
  for (const _again of [1, 2]) expect(await cache.get(digest(guess))).toBeNull();
  expect(load).toHaveBeenCalledTimes(2);
});
