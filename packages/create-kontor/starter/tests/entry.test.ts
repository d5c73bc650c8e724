import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../models/entry.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['starter'] });
});
afterAll(() => world?.close());

describe('an entry', () => {
  it('is done once it says when it is due', async () => {
    const id = await world.act((env) => env.model('starter.entry').create({ name: 'Lamp' }));
    await expect(world.act((env) => env.model('starter.entry').call([id], 'finish'))).rejects.toThrow(
      'Enter a due date.',
    );
    await world.act(async (env) => {
      await env.model('starter.entry').write([id], { date_due: '2030-01-31' });
      await env.model('starter.entry').call([id], 'finish');
    });
    const [entry] = await world.act((env) => env.model('starter.entry').read([id], ['state', 'done_at']));
    expect(entry).toMatchObject({ state: 'done', done_at: expect.any(String) });
  });

  it('can be made by any user', async () => {
    const kim = await world.person('Kim Berg');
    const id = await world.act((env) => env.model('starter.entry').create({ name: 'Desk' }), kim);
    expect(id).toBeGreaterThan(0);
  });
});
