import { createApiKey } from '@kontor/parts';
import { createClient, ValidationError } from '@kontor/rpc';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './test-server.ts';

const partners = 'core.partner';
let world: TestServer;
let key: string;
beforeAll(async () => {
  world = await startTestServer();
  const given = { userId: 1, name: 'client', expiresAt: null, scope: null };
  key = (await world.work((env) => createApiKey(env, given))).secret;
});
afterAll(() => world.close());

const clientOf = (around: typeof fetch = fetch) => createClient({ url: world.url, key, fetch: around });

long('CLT-12 creates more records than one call takes, and tells which exist when a later call fails', async () => {
  const records = clientOf().model(partners);
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ name: `Many ${index}`, city: 'Oslo' }));
  const failed = await records.createMany([...rows, { name: 'Fine' }, { name: '' }]).catch((error) => error);
  expect(failed).toBeInstanceOf(ValidationError);
  expect(failed.rows).toMatchObject([{ index: 10_001, fields: { name: [expect.any(String)] } }]);
  const created: number[] = failed.details.created_ids;
  expect(created).toHaveLength(10_000);
  expect(await records.read([created[9_999] as number], ['name'])).toMatchObject([{ name: 'Many 9999' }]);
  for (let at = 0; at < created.length; at += 500) await records.unlink(created.slice(at, at + 500));
});

it('CLT-12 splits long rows by size, and leaves a dry run and a receipt whole', async () => {
  const sizes: number[] = [];
  const counting: typeof fetch = (input, init) => {
    sizes.push(Buffer.byteLength(String(init?.body)));
    return fetch(input, init);
  };
  const records = clientOf(counting).model(partners);
  // Three bytes a letter: 1,500 rows of 6 kB are more than two bodies.
  const rows = Array.from({ length: 1_500 }, (_, index) => ({ name: `Long ${index}`, comment: '語'.repeat(2_000) }));
  const externalIds = rows.map((_, index) => `long.row_${index}`);
  const ids = await records.createMany(rows, { externalIds });
  expect(sizes).toHaveLength(3);
  expect(Math.max(...sizes)).toBeLessThan(4_000_000);
  expect(new Set(ids).size).toBe(1_500);
  expect((await records.byExternalId(['long.row_1499'])).get('long.row_1499')).toBe(ids[1_499]);
  for (const way of [records.dryRun, records.receipt]) {
    const refused = await way.createMany(rows).catch((error) => error);
    expect(refused).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413, details: { max: 4_000_000 } });
  }
  for (let at = 0; at < ids.length; at += 500) await records.unlink(ids.slice(at, at + 500));
});
