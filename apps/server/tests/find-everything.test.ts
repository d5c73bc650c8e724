import { createTestKernel, type TestKernel } from '@kontor/testing';
import { shippedApps } from '@kontor/testing/shipped-apps';
import { findRecords } from '@kontor/workspace';
import { afterAll, beforeAll, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: shippedApps(), demo: true });
}, 600_000);
afterAll(() => world.close());

it('BOO-15 with all apps installed, records that people discuss are found from anywhere by their name', async () => {
  const caller = { actor: world.admin, csrf: 'token', lastWrite: null };
  const actions = await world.work((env) => env.sudo().model('sys.action.window').searchRead([], ['model']));
  const models = [...new Set(actions.map(({ model }) => String(model)))];
  const { registry } = world.kernel;
  const discussed = models.filter((name) => registry.models.get(name)?.chatter);
  // Settings are named first, as menus of small apps have them.
  const asked = [...models.filter((name) => !discussed.includes(name)), ...discussed];
  const lost: string[] = [];
  for (const model of discussed) {
    const [record] = await world.work((env) => env.model(model).searchRead([], ['display_name'], { limit: 1 }));
    const text = String(record?.display_name ?? '');
    if (text === '') continue;
    const { found } = await findRecords(world.kernel, caller, { text, models: asked });
    if (!found[model]?.some(({ id }) => id === record?.id)) lost.push(`${model}: ${text}`);
  }
  expect(lost).toEqual([]);
  expect(discussed.length).toBeGreaterThan(6);
}, 600_000);
